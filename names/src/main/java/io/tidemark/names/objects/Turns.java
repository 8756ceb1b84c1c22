// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Address;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Lets the threads of one process change a record one after another, in the order in which they
 * came; to wait here is cheaper than to lose races, and nobody waits for ever.
 */
final class Turns {

  private static final int LOCKS = 1024;
  private static final int LONGEST_WAIT_SECONDS = 1;

  private final List<ReentrantLock> locks =
      IntStream.range(0, LOCKS).mapToObj(i -> new ReentrantLock(true)).toList();

  /**
   * Runs an action while no other thread changes the record. Nothing depends on it but speed, so
   * after a while (the store may be slow to answer somebody) it is run all the same.
   */
  <T> T take(Address address, Supplier<T> action) {
    ReentrantLock lock = locks.get(Math.floorMod(address.hashCode(), LOCKS));
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
