// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import io.tidemark.names.HandoffLock;
import io.tidemark.objects.MonotonicTime;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Locks that let the threads of one process change a record one after another, in the order in
 * which they came. Waiting here is cheaper than losing races, and no thread waits for ever.
 */
final class RecordLocks {

  private static final int TURNS = 1024;

  private final List<HandoffLock> turns =
      IntStream.range(0, TURNS).mapToObj(i -> new HandoffLock(MonotonicTime.system())).toList();

  /** Runs an action while no other thread changes the record. */
  <T> T runLocked(Address address, Supplier<T> action) {
    return runLocked(address, action, result -> false);
  }

  /**
   * Runs an action while no other thread changes the record.
   *
   * @param comesBack whether this thread has to try again, to judge by the result
   */
  <T> T runLocked(Address address, Supplier<T> action, Predicate<T> comesBack) {
    return turns.get(Math.floorMod(address.hashCode(), TURNS)).runLocked(action, comesBack);
  }
}
