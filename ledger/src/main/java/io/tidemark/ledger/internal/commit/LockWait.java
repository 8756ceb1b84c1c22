// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.lease.LeaseLock.Acquisition;
import io.tidemark.objects.lease.LeaseLock.HeldBy;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Wait for a lock that another writer holds, with requests to release it. */
final class LockWait {

  /** Interval at which a waiting writer renews its request. */
  private static final Duration NOTE_EVERY = Duration.ofSeconds(1);

  /** Longest pause between two checks of the lock, at the beginning of the wait. */
  private static final Duration LONGEST_DOZE = Duration.ofMillis(250);

  /** Shortest pause, for a writer that has waited for {@link #PATIENCE} or longer. */
  private static final Duration SHORTEST_DOZE = Duration.ofMillis(40);

  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final LedgerObjects objects;
  private final Supplier<Acquisition> lock;
  private final LockRequest note;
  private final WriterSettings settings;
  private final MonotonicTime time;

  LockWait(
      LedgerObjects objects,
      Supplier<Acquisition> lock,
      LockRequest note,
      WriterSettings settings) {
    this.objects = objects;
    this.lock = lock;
    this.note = note;
    this.settings = settings;
    this.time = settings.time();
  }

  /**
   * Waits until the lock is ours.
   *
   * @param first present holder of the lock
   * @param othersWrote called each time another writer has held the lock
   * @throws LockContentionException when other writers hold the lock for longer than we wait
   */
  void await(HeldBy first, Runnable othersWrote) {
    long start = time.nanos();
    long noted = start - NOTE_EVERY.toNanos();
    HeldBy holder = first;
    while (true) {
      if (time.nanos() - noted >= NOTE_EVERY.toNanos()) {
        noted = time.nanos();
        note.post(NOTE_EVERY.multipliedBy(2));
      }
      if (!pause(Duration.ofNanos(time.nanos() - start))) {
        throw contention(holder);
      }
      Acquisition acquisition = lock.get();
      if (!(acquisition instanceof HeldBy now)) {
        return;
      }
      if (!now.ownerId().equals(holder.ownerId())) {
        othersWrote.run();
      }
      holder = now;
    }
  }

  /**
   * Pauses until the next check of the lock: the shorter the longer the wait, so that the writer
   * that came first is more likely to be the next. Of random length, so that rivals don't stay in
   * step.
   *
   * @return false when it is time to give up
   */
  private boolean pause(Duration waited) {
    Duration left = settings.lockTimeout().minus(waited);
    if (left.isNegative() || left.isZero() || Thread.currentThread().isInterrupted()) {
      return false;
    }
    double age = Math.min(1.0, (double) waited.toNanos() / PATIENCE.toNanos());
    double longest = LONGEST_DOZE.toNanos() * (1 - age) + SHORTEST_DOZE.toNanos() * age;
    long nanos = (long) (longest * (0.5 + ThreadLocalRandom.current().nextDouble() / 2));
    time.pause(Duration.ofNanos(Math.min(nanos, left.toNanos())));
    return true;
  }

  private LockContentionException contention(HeldBy holder) {
    return new LockContentionException(
        "the ledger in "
            + objects.location()
            + " is being written by "
            + (holder.ownerId().isEmpty() ? "another" : holder.ownerId())
            + holder.expiresAt().map(until -> ", whose lock lasts until " + until).orElse("")
            + "; waited "
            + settings.lockTimeout().toMillis()
            + " ms for it: try again, or wait longer");
  }
}
