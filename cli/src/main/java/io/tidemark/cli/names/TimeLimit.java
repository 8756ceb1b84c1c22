// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import java.time.Duration;

/** How long something may go on. */
final class TimeLimit {

  /** In seconds, longer than any process lives. */
  static final double NONE = 1e9;

  private final long endNanos;

  TimeLimit(double seconds) {
    this.endNanos = System.nanoTime() + (long) (Math.min(seconds, NONE) * 1e9);
  }

  boolean isOver() {
    return left().isZero();
  }

  Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }
}
