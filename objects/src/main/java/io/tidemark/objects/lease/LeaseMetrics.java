// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.lease;

import java.util.concurrent.atomic.LongAdder;

/**
 * How often this process took a lease or lock over from a holder who had let it expire: the trace
 * of processes that died or were too slow. For operators to see; nothing goes by it.
 */
public final class LeaseMetrics {

  private static final LongAdder COUNT = new LongAdder();

  private LeaseMetrics() {}

  /** Since the process began. */
  public static long takeovers() {
    return COUNT.sum();
  }

  /** One more. */
  public static void recordTakeover() {
    COUNT.increment();
  }
}
