// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.Address;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets others wait for a moment while a client decides about a whole record, which it couldn't ever
 * replace as it has seen it if they changed it without pause. Nothing depends on it but that the
 * client comes to an end: who has waited long enough goes on, and changes that don't come through
 * the routes of names don't wait.
 */
final class Holds {

  /** How long a client may take to decide. */
  private static final long ONCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** How long others wait in all, should it be late again. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final class Hold {
    private final String holder;
    private final long began = System.nanoTime();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile long until = began + ONCE_NANOS;

    Hold(String holder) {
      this.holder = holder;
    }

    void renew() {
      long longest = began + LONGEST_NANOS;
      long again = System.nanoTime() + ONCE_NANOS;
      until = again - longest < 0 ? again : longest;
    }

    long left() {
      return until - System.nanoTime();
    }
  }

  private final ConcurrentMap<Address, Hold> holds = new ConcurrentHashMap<>();

  /**
   * Waits until nobody else decides about a record.
   *
   * @param holder who waits; empty for who never holds
   */
  void await(Address address, String holder) {
    Hold hold = holds.isEmpty() ? null : holds.get(address);
    if (hold == null || hold.holder.equals(holder)) {
      return;
    }
    try {
      long left = hold.left();
      while (left > 0 && !hold.ended.await(left, TimeUnit.NANOSECONDS)) {
        left = hold.left();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (hold.left() <= 0) {
      holds.remove(address, hold);
    }
  }

  /** Has others wait from now on, unless somebody else has them wait already. */
  void hold(Address address, String holder) {
    holds.values().removeIf(hold -> hold.left() <= 0);
    Hold there = holds.putIfAbsent(address, new Hold(holder));
    if (there != null && there.holder.equals(holder)) {
      there.renew();
    }
  }

  /** Lets others go on. */
  void release(Address address, String holder) {
    Hold hold = holds.isEmpty() ? null : holds.get(address);
    if (hold != null && hold.holder.equals(holder) && holds.remove(address, hold)) {
      hold.ended.countDown();
    }
  }
}
