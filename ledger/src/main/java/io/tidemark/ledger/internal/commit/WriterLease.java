// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.lease.Lease;
import io.tidemark.objects.lease.LeaseLock;
import io.tidemark.objects.lease.LeaseLock.Acquired;
import io.tidemark.objects.lease.LeaseLock.Acquisition;
import io.tidemark.objects.lease.LeaseLock.HeldBy;
import io.tidemark.objects.lease.LeaseLostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lease of the ledger's write lock by one process: taken for the first commit, kept while commits
 * follow one another, released when they don't or when another writer requests it.
 *
 * <p>A busy writer that kept the lock would shut out all other writers, and one that released it
 * after each commit would pay two more round trips for each. So a waiting writer leaves a {@link
 * LockRequest}, and the holder looks for it now and then, in the background. A writer that had to
 * wait itself releases the lock after one commit, since more writers may be waiting. Programs
 * without such requests get a chance when a busy writer has had the lock for its fair share.
 *
 * <p>Called by one thread at a time. While the lock is held, a dedicated thread looks after it, so
 * that no slow index or nameservice keeps the lock from waiting writers.
 */
final class WriterLease implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WriterLease.class);

  /**
   * How long a writer that stood back for other writers leaves the lock alone: longer than their
   * pauses, and longer than other programs pause between two polls.
   */
  private static final Duration STAND_BACK = Duration.ofMillis(400);

  /**
   * How long a busy writer keeps the lock. Other programs leave no request: their polls fail
   * without a trace. So they get a chance this often, whether one waits or not; they wait for 5 s.
   */
  private static final Duration FAIR_SHARE = Duration.ofSeconds(3);

  /** How often a busy holder looks for a request: with each tick. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private static final long TICK_MILLIS = 250;

  private final LedgerObjects objects;
  private final LeaseLock lock;
  private final LockRequest note;
  private final WriterSettings settings;
  private final ShutdownGate gate;
  private final MonotonicTime time;
  private final Duration checkEvery;
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(WriterLease::daemon);

  private Optional<Lease> lease = Optional.empty();
  private boolean contended;
  private boolean inUse;
  private boolean ticking;
  private long heldSince;
  private long lastUsed;
  private long lastSeen;
  private long lastLook;
  private long stoodBack;

  WriterLease(LedgerObjects objects, WriterSettings settings, ShutdownGate gate) {
    this.objects = objects;
    this.settings = settings;
    this.gate = gate;
    this.time = settings.time();
    this.lock =
        new LeaseLock(
            objects.store(), objects.key(LedgerLayout.LOCK), settings.leaseTtl(), settings.time());
    this.note = new LockRequest(objects, settings.runtimeId());
    this.checkEvery = settings.leaseTtl().dividedBy(30);
    this.stoodBack = time.nanos() - STAND_BACK.toNanos();
  }

  /** Returns whether the lock is ours, with time enough left to rely on. */
  synchronized boolean isHeld() {
    if (lease.isPresent() && !isSafe(lease.get())) {
      release();
    }
    return lease.isPresent();
  }

  /**
   * Returns whether the lock object should be checked again before the next step that relies on it.
   */
  synchronized boolean isDueForCheck() {
    return lease.isPresent() && time.nanos() - lastSeen > checkEvery.toNanos();
  }

  /**
   * Checks that the lock object is still ours.
   *
   * @throws LeaseLostException when it isn't
   */
  void check() {
    held().verify();
    synchronized (this) {
      lastSeen = time.nanos();
    }
  }

  /**
   * Makes the lock ours, until {@link #markIdle()} at least.
   *
   * @param othersWrote called during a wait, each time another writer has held the lock
   * @return whether that took a wait, in which other writers may have written
   * @throws LockContentionException when other writers hold the lock for longer than we wait
   */
  boolean ensureHeld(Runnable othersWrote) {
    synchronized (this) {
      inUse = true;
      if (isHeld()) {
        return false;
      }
    }
    backOff();
    Acquisition acquisition = acquire();
    boolean waited = acquisition instanceof HeldBy;
    if (acquisition instanceof HeldBy holder) {
      new LockWait(objects, this::acquire, note, settings).await(holder, othersWrote);
    }
    synchronized (this) {
      contended |= waited;
    }
    return waited;
  }

  private Acquisition acquire() {
    return gate.runStep(
        () -> {
          Acquisition acquisition = lock.acquire(settings.runtimeId(), Duration.ZERO);
          if (acquisition instanceof Acquired acquired) {
            keep(acquired.lease());
          }
          return acquisition;
        });
  }

  private synchronized void keep(Lease acquired) {
    lease = Optional.of(acquired.keepAlive());
    lastSeen = time.nanos();
    heldSince = lastSeen;
    lastLook = lastSeen;
    if (!ticking) {
      ticking = true;
      nextTick();
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "tidemark-ledger-lock");
    thread.setDaemon(true);
    return thread;
  }

  private void nextTick() {
    ScheduledFuture<?> unused =
        ticks.schedule(this::tickAndGoOn, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tickAndGoOn() {
    try {
      tick();
    } catch (RuntimeException e) {
      LOG.warn("can't look after the lock of {}: {}", objects.location(), e.toString());
    }
    synchronized (this) {
      ticking = lease.isPresent() && !ticks.isShutdown();
      if (ticking) {
        nextTick();
      }
    }
  }

  /**
   * Requires the lock, right before the step that only the holder may take.
   *
   * @throws LeaseLostException when it is too late for it
   */
  void requireHeld() {
    held().guard();
  }

  /** Returns the lease of a caller that has taken the lock; fails if it was released to stop. */
  private Lease held() {
    synchronized (this) {
      if (lease.isPresent()) {
        return lease.get();
      }
    }
    gate.check();
    throw new IllegalStateException("the lock of " + objects.location() + " wasn't taken");
  }

  /** Notes that the lock isn't needed for the moment. */
  synchronized void markIdle() {
    inUse = false;
    lastUsed = time.nanos();
    boolean hadItsShare = lease.isPresent() && lastUsed - heldSince > FAIR_SHARE.toNanos();
    if (contended || hadItsShare) {
      stoodBack = time.nanos();
      release();
    }
  }

  /** Releases the lock, as after losing the head to a writer that ignored it. */
  synchronized void release() {
    lease.ifPresent(Lease::close);
    lease = Optional.empty();
    contended = false;
  }

  /** Releases the lock when it is idle or other writers wait for it. */
  private void tick() {
    synchronized (this) {
      if (lease.isEmpty()) {
        return;
      }
      if (!inUse && time.nanos() - lastUsed > settings.idleAfter().toNanos()) {
        release();
        return;
      }
      if (time.nanos() - lastLook < LOOK_EVERY.toNanos()) {
        return;
      }
      lastLook = time.nanos();
    }
    if (note.isPostedByAnother()) {
      synchronized (this) {
        stoodBack = time.nanos();
        contended = lease.isPresent();
        if (!inUse) {
          release();
        }
      }
    }
  }

  private void backOff() {
    long left;
    synchronized (this) {
      left = STAND_BACK.toNanos() - (time.nanos() - stoodBack);
      stoodBack = time.nanos() - STAND_BACK.toNanos();
    }
    if (left > 0) {
      time.pause(Duration.ofNanos(left));
    }
  }

  private static boolean isSafe(Lease lease) {
    try {
      lease.guard();
      return true;
    } catch (LeaseLostException e) {
      return false;
    }
  }

  @Override
  public synchronized void close() {
    ticks.shutdownNow();
    release();
  }
}
