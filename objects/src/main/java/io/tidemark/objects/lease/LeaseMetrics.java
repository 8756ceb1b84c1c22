// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.lease;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counter of leases and locks that this process took over from a holder that had let them expire: a
 * sign of processes that died or were too slow. It is for operators; no decision depends on it.
 */
public final class LeaseMetrics {

  private static final LongAdder COUNT = new LongAdder();

  private LeaseMetrics() {}

  /** Returns the number of takeovers since the process began. */
  public static long takeovers() {
    return COUNT.sum();
  }

  /** Counts a takeover. */
  public static void recordTakeover() {
    COUNT.increment();
  }
}
