// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.lease;

import io.tidemark.objects.ETag;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lock that is held for a limited time. Closing the lease releases it; otherwise it expires.
 *
 * <p>How long it is safe is counted on the monotonic clock from before the request that wrote it,
 * so neither a jump of the wall clock nor a slow answer makes it look longer than it is for other
 * processes.
 */
public final class Lease implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Lease.class);

  private final LeaseLock lock;
  private final String ownerId;
  private final Duration ttl;
  private final ReentrantLock requests = new ReentrantLock();
  private final Condition ended = requests.newCondition();
  private LeaseRecord record;
  private ETag etag;
  private boolean givenBack;
  private volatile long endNanos;
  private volatile Optional<String> lost = Optional.empty();

  Lease(LeaseLock lock, LeaseRecord record, ETag etag, long startNanos) {
    this.lock = lock;
    this.ownerId = record.ownerId();
    this.ttl = record.ttl();
    this.record = record;
    this.etag = etag;
    this.endNanos = startNanos + ttl.toNanos();
  }

  /** Returns the holder as the lock object names it, unique to this acquisition. */
  public String ownerId() {
    return ownerId;
  }

  /**
   * Checks that the lease is still safe; to be called right before the step that only a holder may
   * take. Costs no request.
   *
   * @throws LeaseLostException when the lease is lost or has less than a third of its length left
   */
  public void guard() {
    if (lost.isPresent()) {
      throw new LeaseLostException(lost.get());
    }
    long left = endNanos - lock.time().nanos();
    long margin = ttl.toNanos() / 3;
    if (left <= margin) {
      throw new LeaseLostException(
          "the lease on "
              + lock
              + " has "
              + Duration.ofNanos(left).toMillis()
              + " ms left, and "
              + Duration.ofNanos(margin).toMillis()
              + " ms are the least to go on; take it anew and do the work again");
    }
  }

  /**
   * {@link #guard()}, and looks whether the lock object is still ours. Costs one conditional read.
   */
  public void verify() {
    requests.lock();
    try {
      guard();
      if (!lock.isUnchanged(etag)) {
        findOwn();
      }
      guard(); // looking may have taken a while
    } finally {
      requests.unlock();
    }
  }

  /**
   * Makes the lease last its full length from now.
   *
   * @return false when that couldn't be done: {@link #guard()} tells whether there is time to try
   *     again
   */
  public boolean renew() {
    requests.lock();
    try {
      return lost.isEmpty() && !givenBack && tryRenew();
    } finally {
      requests.unlock();
    }
  }

  /** Renews the lease every third of its length, in the background, until it is closed or lost. */
  public Lease keepAlive() {
    Thread keeper = new Thread(this::keepRenewing, "tidemark-lease-" + ownerId);
    keeper.setDaemon(true);
    keeper.start();
    return this;
  }

  /**
   * Gives the lock back, if it is still ours. Never fails: what can't be given back runs out, and
   * the work that was done under the lease is not undone by it.
   */
  @Override
  public void close() {
    requests.lock();
    try {
      if (!givenBack && lost.isEmpty()) {
        release();
      }
      givenBack = true;
      lose("was given back");
      ended.signalAll();
    } finally {
      requests.unlock();
    }
  }

  private void release() {
    try {
      // Long ago, so that it is over by any clock, however wrong.
      LeaseRecord over = record.withExpiry(Instant.EPOCH);
      WriteResult result = lock.replace(over, etag);
      if (!result.written() && findOwn()) {
        result = lock.replace(over, etag);
      }
      if (result instanceof WriteResult.Written written) {
        lock.onReleased(written.etag());
      }
    } catch (TidemarkException e) {
      LOG.warn("the lease on {} couldn't be given back and will run out: {}", lock, e.getMessage());
    }
  }

  private void keepRenewing() {
    requests.lock();
    try {
      while (!givenBack && lost.isEmpty()) {
        // Spurious wake-ups only renew early.
        if (ended.awaitNanos(ttl.toNanos() / 3) <= 0 && !givenBack && lost.isEmpty()) {
          tryRenew();
        }
      }
    } catch (InterruptedException e) {
      LOG.warn("the lease on {} isn't renewed any more: its thread was interrupted", lock);
    } finally {
      requests.unlock();
    }
  }

  private boolean tryRenew() {
    long before = lock.time().nanos();
    LeaseRecord renewed = record.withExpiry(lock.now().plus(ttl));
    try {
      WriteResult result = lock.replace(renewed, etag);
      if (!result.written() && findOwn()) {
        result = lock.replace(renewed, etag);
      }
      return result instanceof WriteResult.Written written
          && renewed(renewed, written.etag(), before);
    } catch (OutcomeUnknownException e) {
      return renewedAfterAll(renewed, before);
    } catch (TidemarkException e) {
      LOG.warn("the lease on {} couldn't be renewed: {}", lock, e.getMessage());
      return false;
    }
  }

  /**
   * Looks whose the lock object is that isn't in the version we know. It is ours when the answer to
   * a renewal was lost and couldn't be looked for at the time; then its version is the one to go on
   * from. Otherwise the lease is lost.
   */
  private boolean findOwn() {
    Optional<LeaseLock.OwnRecord> own = lock.readOwn(record);
    if (own.isEmpty()) {
      lose("was taken by another");
      return false;
    }
    etag = own.get().etag();
    return true;
  }

  private boolean renewedAfterAll(LeaseRecord renewed, long before) {
    try {
      Optional<LeaseLock.OwnRecord> own = lock.readOwn(renewed);
      if (own.isEmpty()) {
        lose("was taken by another");
        return false;
      }
      etag = own.get().etag();
      return own.get().record().equals(renewed) && renewed(renewed, etag, before);
    } catch (TidemarkException e) {
      LOG.warn("the lease on {} couldn't be looked up: {}", lock, e.getMessage());
      return false;
    }
  }

  private boolean renewed(LeaseRecord renewed, ETag version, long startNanos) {
    record = renewed;
    etag = version;
    endNanos = startNanos + ttl.toNanos();
    return true;
  }

  private void lose(String how) {
    if (lost.isEmpty()) {
      lost =
          Optional.of("the lease on " + lock + " " + how + "; take it anew and do the work again");
    }
  }
}
