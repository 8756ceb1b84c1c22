// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.lease;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A lock object that one holder at a time has a lease on.
 *
 * <p>The object is JSON with {@code owner_id}, {@code acquired_at}, {@code expires_at} and {@code
 * lease_ttl_ms}. It is taken by creating it or, when it is free, by replacing exactly the version
 * that was seen; so of any number of takers one wins. It is free when
 *
 * <ul>
 *   <li>its {@code expires_at} has passed by the {@link ObjectStore#clock() clock of the store}, or
 *   <li>it hasn't changed for as long as a lease lasts while this process watched, by this
 *       process's own monotonic clock; several short looks count as one long one. So neither a
 *       holder whose clock is far ahead, nor an object that can't be understood, blocks for good.
 * </ul>
 *
 * <p>A holder stops relying on its lease a third of its length before it ends (see {@link
 * Lease#guard()}), so clocks may differ by that much before two could believe to hold it.
 *
 * <p>Every acquisition has an owner id of its own, so a holder recognises its own lock after a lost
 * answer, and never takes the lock of its namesake for its own. A lease is given back by writing it
 * as expired, never by a conditional delete, which several stores ignore.
 */
public final class LeaseLock {

  /** Result of an attempt to acquire the lock. */
  public sealed interface Acquisition {}

  /** The lock is ours. */
  public record Acquired(Lease lease) implements Acquisition {}

  /**
   * The lock is held by another process or caller.
   *
   * @param ownerId id of the holder; empty when the lock object doesn't say
   * @param expiresAt until when, unless it is renewed; empty when the lock object doesn't say
   */
  public record HeldBy(String ownerId, Optional<Instant> expiresAt) implements Acquisition {}

  /** Default duration of a lease. */
  public static final Duration STANDARD_TTL = Duration.ofSeconds(30);

  private static final Duration FIRST_POLL = Duration.ofMillis(10);
  private static final Duration LONGEST_POLL = Duration.ofMillis(250);
  private static final Optional<Instant> GIVEN_BACK = Optional.of(Instant.EPOCH);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ObjectStore store;
  private final String key;
  private final Duration ttl;
  private final MonotonicTime time;

  /** Version written on releasing the lock; the lock wasn't acquired since if it still matches. */
  private volatile Optional<ETag> givenBack = Optional.empty();

  /**
   * Last observation of the lock object, and since when; so that short waits add up to a long one.
   */
  private volatile Optional<Observation> lastSighting = Optional.empty();

  public LeaseLock(ObjectStore store, String key, Duration ttl) {
    this(store, key, ttl, MonotonicTime.system());
  }

  public LeaseLock(ObjectStore store, String key, Duration ttl, MonotonicTime time) {
    if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("a lease must last, not " + ttl);
    }
    this.store = store;
    this.key = key;
    this.ttl = ttl.truncatedTo(ChronoUnit.MILLIS);
    this.time = time;
  }

  /**
   * Takes the lock, waiting for it if need be.
   *
   * @param owner the caller; made unique by a suffix
   * @param patience how long to wait while another has it; zero to look once
   */
  public Acquisition acquire(String owner, Duration patience) {
    String ownerId = owner + "-" + randomHex();
    Optional<ETag> ours = givenBack;
    if (ours.isPresent()) {
      Optional<Lease> lease = take(ownerId, Condition.ifMatch(ours.get()));
      if (lease.isPresent()) {
        return new Acquired(lease.get());
      }
      givenBack = Optional.empty(); // another has had it since
    }
    Retry.Backoff backoff = new Retry(patience, FIRST_POLL, LONGEST_POLL, time).start();
    LockObserver lockObserver = new LockObserver();
    while (true) {
      lockObserver.poll();
      if (lockObserver.isFree()) {
        Optional<Lease> lease = take(ownerId, lockObserver.condition());
        if (lease.isPresent()) {
          lockObserver.countTakeover();
          return new Acquired(lease.get());
        }
        lockObserver.poll(); // whoever was faster is the one to tell of
      }
      if (!backoff.pause()) {
        return lockObserver.holder();
      }
    }
  }

  /** Writes our record if the condition holds; empty when another was faster. */
  private Optional<Lease> take(String ownerId, Condition condition) {
    long before = time.nanos();
    Instant now = now();
    LeaseRecord record = new LeaseRecord(ownerId, now, now.plus(ttl), ttl);
    try {
      WriteResult result = store.put(key, Body.of(record.toJson()), condition);
      return result instanceof WriteResult.Written written
          ? Optional.of(new Lease(this, record, written.etag(), before))
          : Optional.empty();
    } catch (OutcomeUnknownException e) {
      return readOwn(record).map(ownRecord -> new Lease(this, record, ownRecord.etag(), before));
    }
  }

  /** Returns the lock object as it is now, if it is of this acquisition. */
  Optional<OwnRecord> readOwn(LeaseRecord record) {
    return store
        .get(key)
        .flatMap(
            found ->
                LeaseRecord.parse(found.bytes()).map(read -> new OwnRecord(read, found.etag())))
        .filter(ownRecord -> ownRecord.record().sameAcquisition(record));
  }

  /** Record written by this process, and its version. */
  record OwnRecord(LeaseRecord record, ETag etag) {}

  /** Returns whether the lock object is still in the version that the holder wrote last. */
  boolean isUnchanged(ETag etag) {
    return store.getIfChanged(key, etag) instanceof ReadResult.NotModified<byte[]>;
  }

  /** Replaces the version that the holder wrote last. */
  WriteResult replace(LeaseRecord record, ETag etag) {
    return store.put(key, Body.of(record.toJson()), Condition.ifMatch(etag));
  }

  void onReleased(ETag etag) {
    givenBack = Optional.of(etag);
  }

  Instant now() {
    return store.clock().instant().truncatedTo(ChronoUnit.MICROS);
  }

  MonotonicTime time() {
    return time;
  }

  @Override
  public String toString() {
    return key + " in " + store;
  }

  private static String randomHex() {
    byte[] bytes = new byte[8];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * The lock object in one version.
   *
   * @param record the content; empty when it can't be parsed
   * @param sinceNanos when it was first seen so
   */
  private record Observation(ETag etag, Optional<LeaseRecord> record, long sinceNanos) {}

  /** Observer of the lock object for a caller that waits for it. */
  private final class LockObserver {
    private Optional<Observation> seen = lastSighting;

    void poll() {
      if (seen.isEmpty()) {
        seen = store.get(key).map(found -> sighting(found.etag(), found.bytes()));
      } else {
        ReadResult<byte[]> result = store.getIfChanged(key, seen.get().etag());
        if (result instanceof ReadResult.NotModified<byte[]>) {
          return;
        }
        seen =
            result instanceof ReadResult.Found<byte[]> found
                ? Optional.of(sighting(found.etag(), found.content()))
                : Optional.empty();
      }
      lastSighting = seen;
    }

    private Observation sighting(ETag etag, byte[] bytes) {
      return new Observation(etag, LeaseRecord.parse(bytes), time.nanos());
    }

    boolean isFree() {
      return seen.isEmpty() || isExpired() || isUnchangedForTtl(seen.get());
    }

    private boolean isExpired() {
      Optional<LeaseRecord> record = record();
      return record.isPresent() && !now().isBefore(record.get().expiresAt());
    }

    private boolean isUnchangedForTtl(Observation observation) {
      Duration leased =
          observation.record().map(LeaseRecord::ttl).filter(d -> !d.isZero()).orElse(ttl);
      return Duration.ofNanos(time.nanos() - observation.sinceNanos()).compareTo(leased) >= 0;
    }

    private Optional<LeaseRecord> record() {
      return seen.flatMap(Observation::record);
    }

    /**
     * Counts a takeover, unless the lock was released: a released lock says that it expired long
     * ago.
     */
    void countTakeover() {
      if (seen.isPresent() && !record().map(LeaseRecord::expiresAt).equals(GIVEN_BACK)) {
        LeaseMetrics.recordTakeover();
      }
    }

    Condition condition() {
      return Condition.unchanged(seen.map(Observation::etag));
    }

    HeldBy holder() {
      return new HeldBy(
          record().map(LeaseRecord::ownerId).orElse(""), record().map(LeaseRecord::expiresAt));
    }
  }
}
