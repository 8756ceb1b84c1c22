// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread does; the limit only turns a hang into a failure. */
final class AwaitCondition {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(5);

  private AwaitCondition() {}

  static void isTrue(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        throw new AssertionError("waited " + LIMIT + " in vain until " + what);
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }
}
