// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.HandoffLock;
import io.tidemark.objects.MonotonicTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The order in which the threads of this process change a record. Changes are kept off a record
 * while it is edited: an edit has to find every item as it has read it, and among changes that
 * never pause it would hardly ever do.
 */
final class RecordReadWriteLocks {

  private static final int LOCKS = 1024;
  private static final int LONGEST_WAIT_SECONDS = 1;

  private final List<ReadWriteLock> locks =
      IntStream.range(0, LOCKS)
          .<ReadWriteLock>mapToObj(i -> new ReentrantReadWriteLock(true))
          .toList();

  private final List<HandoffLock> lines =
      IntStream.range(0, LOCKS).mapToObj(i -> new HandoffLock(MonotonicTime.system())).toList();

  /** Runs an action that may run in parallel with other shared actions. */
  <T> T runShared(Address address, Supplier<T> action) {
    return run(of(address).readLock(), action);
  }

  /**
   * Runs an action that may run in parallel with shared actions, but not with another serial one.
   * Of several writers that replace the same state only one can win, so waiting here is cheaper
   * than losing.
   *
   * @param comesBack whether this thread has to try again, to judge by the result
   */
  <T> T runSerially(Address address, Supplier<T> action, Predicate<T> comesBack) {
    HandoffLock handoffLock = lines.get(Math.floorMod(address.hashCode(), LOCKS));
    return handoffLock.runLocked(() -> runShared(address, action), comesBack);
  }

  /** Runs an action with no other in parallel. */
  <T> T runExclusively(Address address, Supplier<T> action) {
    return run(of(address).writeLock(), action);
  }

  private ReadWriteLock of(Address address) {
    return locks.get(Math.floorMod(address.hashCode(), LOCKS));
  }

  /**
   * Runs an action under a lock. Only speed depends on the lock, so a thread that has waited too
   * long goes ahead without it.
   */
  private static <T> T run(Lock lock, Supplier<T> action) {
    boolean held = false;
    try {
      held = lock.tryLock(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      return action.get();
    } finally {
      if (held) {
        lock.unlock();
      }
    }
  }
}
