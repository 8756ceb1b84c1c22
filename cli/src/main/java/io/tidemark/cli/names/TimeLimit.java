// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import java.time.Duration;

/** Time limit of an operation. */
public final class TimeLimit {

  /** In seconds, longer than any process lives. */
  public static final double NONE = 1e9;

  private final long endNanos;

  public TimeLimit(double seconds) {
    this.endNanos = System.nanoTime() + (long) (Math.min(seconds, NONE) * 1e9);
  }

  public boolean isOver() {
    return left().isZero();
  }

  public Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }
}
