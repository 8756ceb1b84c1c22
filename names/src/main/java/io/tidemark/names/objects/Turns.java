// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.objects.MonotonicTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Lets the threads of one process change a record one after another, in the order in which they
 * came; to wait here is cheaper than to lose races, and nobody waits for ever.
 */
final class Turns {

  private static final int TURNS = 1024;

  /** Long enough for a crowd on a store that takes a tenth of a second for a write. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final List<Turn> turns =
      IntStream.range(0, TURNS).mapToObj(i -> new Turn(MonotonicTime.system())).toList();

  /** Runs an action while no other thread changes the record. */
  <T> T take(Address address, Supplier<T> action) {
    return take(address, action, result -> false);
  }

  /**
   * Runs an action while no other thread changes the record. Nothing depends on it but speed, so
   * after a while (the store may be slow to answer somebody) it is run all the same.
   *
   * @param comesBack whether this thread has to try again, to judge by the result
   */
  <T> T take(Address address, Supplier<T> action, Predicate<T> comesBack) {
    Turn turn = turns.get(Math.floorMod(address.hashCode(), TURNS));
    if (!turn.enter(LONGEST_WAIT_NANOS)) {
      return action.get();
    }
    boolean back = false;
    try {
      T result = action.get();
      back = comesBack.test(result);
      return result;
    } finally {
      if (back) {
        turn.leaveForAMoment();
      } else {
        turn.leave();
      }
    }
  }
}
