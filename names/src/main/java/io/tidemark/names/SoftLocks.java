// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.Retry;
import io.tidemark.objects.lease.LeaseMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Advisory locks between processes, kept in the status of a record: one process works; other
 * processes see which one, until when, and its progress.
 *
 * <p>A lock is an object in the status, beside other fields:
 *
 * <pre>{@code
 * {"state": "indexing",
 *  "index_lock": {"holder": "indexer-7f3a", "epoch": 3, "target_t": 45,
 *                 "acquired_at": 1705312200, "expires_at": 1705316100, "refreshed_at": 1705314000,
 *                 "id": "4c1d1f0e-..."},
 *  "progress": 0.67}
 * }</pre>
 *
 * <p>It is taken, refreshed and given back by compare-and-set of the status, so of two takers one
 * wins, and a holder whose lock was taken over after it had expired finds out at its next step. The
 * epoch grows with every acquisition and stays in the status when the lock is gone: a request with
 * an older epoch comes from a holder that has lost the lock. Epochs begin anew with a record that
 * takes the place of one that was purged, so each acquisition has an id of its own, too.
 */
public final class SoftLocks {

  /** Purpose of a lock. */
  public enum Purpose {
    INDEX("index_lock", "indexing"),
    REINDEX("reindex_lock", "reindexing"),
    MAINTENANCE("maintenance_lock", "maintenance");

    private final String field;
    private final String state;

    Purpose(String field, String state) {
      this.field = field;
      this.state = state;
    }

    /** Returns the name that commands and routes use. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    private String epochField() {
      return field + "_epoch";
    }
  }

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  /**
   * A lock as the status shows it.
   *
   * @param holder the process or program that holds the lock
   * @param epoch which acquisition it is, counted from 1
   * @param expiresAt seconds since 1970 after which another process may take the lock
   * @param targetT up to where the holder works, if it said so
   * @param progress how far the work is, from 0 to 1, if the holder said so
   * @param id which acquisition it is, in this record or another; empty for a lock of another
   *     program, and for a caller that knows only the epoch
   */
  @RecordBuilder
  public record Lock(
      String holder,
      long epoch,
      long expiresAt,
      OptionalLong targetT,
      OptionalDouble progress,
      Optional<String> id)
      implements SoftLocksLockBuilder.With {

    /** Returns the lock of an acquisition of which only the holder and the epoch are known. */
    public static Lock of(String holder, long epoch, Optional<String> id) {
      return new Lock(holder, epoch, 0, OptionalLong.empty(), OptionalDouble.empty(), id);
    }

    /** Returns whether it is of this acquisition, as far as the caller knows it. */
    public boolean isOf(Lock known) {
      return epoch == known.epoch
          && holder.equals(known.holder)
          && (known.id.isEmpty() || known.id.equals(id));
    }
  }

  /** Result of an attempt to acquire a lock. */
  public sealed interface Acquisition {}

  /** The lock was acquired. */
  public record Acquired(Lock lock) implements Acquisition {}

  /** The lock is held by another holder. */
  public record HeldBy(Lock lock) implements Acquisition {}

  private final NameService names;
  private final Clock clock;
  private final Duration lease;

  /**
   * Locks on the records of a nameservice.
   *
   * @param lease how long a lock lasts unless it is refreshed, from a second to a year
   */
  public SoftLocks(NameService names, Clock clock, Duration lease) {
    if (lease.compareTo(SHORTEST) < 0 || lease.compareTo(LONGEST) > 0) {
      throw new InvalidPayloadException(
          "a lock must last for a second at least and a year at most, not " + lease);
    }
    this.names = names;
    this.clock = clock;
    this.lease = lease;
  }

  /** Returns the lock as it is, expired or not; empty when it isn't held. */
  public Optional<Lock> find(Address address, Purpose purpose) {
    return lockIn(status(address), purpose);
  }

  /** Returns the lock as it is, if it is still of the acquisition that the caller names. */
  public Optional<Lock> find(Address address, Purpose purpose, long epoch, Optional<String> id) {
    return find(address, purpose).filter(lock -> lock.isOf(Lock.of(lock.holder(), epoch, id)));
  }

  /** Acquires the lock, if it is free or has expired. */
  public Acquisition acquire(
      Address address, Purpose purpose, String holder, OptionalLong targetT) {
    if (holder.isBlank()) {
      throw new InvalidPayloadException(
          "a lock of " + address + " needs a holder that others can tell; it is empty");
    }
    Retry.Backoff backoff = names.startRetry();
    while (true) {
      ConcernValue status = status(address);
      Optional<Lock> held = lockIn(status, purpose);
      if (held.isPresent() && held.get().expiresAt() > now()) {
        return new HeldBy(held.get());
      }
      long epoch = lastEpoch(status, purpose) + 1;
      long expiresAt = now() + lease.toSeconds();
      Optional<String> id = Optional.of(UUID.randomUUID().toString());
      Lock lock = new Lock(holder, epoch, expiresAt, targetT, OptionalDouble.empty(), id);
      Consumer<ObjectNode> take =
          json -> {
            json.put("state", purpose.state);
            json.put(purpose.epochField(), epoch);
            json.remove("progress");
            write(json.putObject(purpose.field), lock).put("acquired_at", now());
          };
      if (tryPush(address, status, take)) {
        held.ifPresent(expired -> LeaseMetrics.recordTakeover());
        return new Acquired(lock);
      }
      ContentionException.pauseOrGiveUp(backoff, address);
    }
  }

  /**
   * Makes a lock last again from now, and says how far the work is.
   *
   * @param progress from 0 to 1; below 0 when it isn't known
   * @return the lock as it is now; empty when it was lost
   */
  public Optional<Lock> refresh(Address address, Purpose purpose, Lock lock, double progress) {
    if (Double.isNaN(progress) || progress > 1) {
      throw new InvalidPayloadException(
          "the progress of work is from 0 to 1, not " + progress + "; below 0 if it isn't known");
    }
    OptionalDouble told = progress >= 0 ? OptionalDouble.of(progress) : lock.progress();
    Lock refreshed = lock.with().expiresAt(now() + lease.toSeconds()).progress(told).build();
    boolean kept =
        whileHeld(
            address,
            purpose,
            lock,
            json -> {
              if (progress >= 0) {
                json.put("progress", progress);
              }
              write((ObjectNode) json.get(purpose.field), refreshed).put("refreshed_at", now());
            });
    return kept ? Optional.of(refreshed) : Optional.empty();
  }

  /** Gives a lock back; false when it was lost before. Other fields of the status stay. */
  public boolean release(Address address, Purpose purpose, Lock lock) {
    return whileHeld(
        address,
        purpose,
        lock,
        json -> {
          json.remove(purpose.field);
          json.remove("progress");
          json.put("state", stateWithoutLock(json));
        });
  }

  /**
   * Pushes as the holder of a lock. Should it be lost just between the look at it and the push,
   * what the next holder has pushed still stays: it is not the expected state any more.
   *
   * @param push from the state in which the work began
   * @throws RefusedException when the lock was lost: its epoch is not the last one any more
   */
  public PushResult push(Address address, Purpose purpose, Lock lock, ConcernChange.Push push) {
    requireHeld(address, purpose, lock);
    return names.push(address, push.concern(), Optional.of(push.expected()), push.next());
  }

  /**
   * Makes sure that a lock is still held.
   *
   * @throws RefusedException when it isn't
   */
  public void requireHeld(Address address, Purpose purpose, Lock lock) {
    ConcernValue status = status(address);
    Optional<Lock> there = lockIn(status, purpose);
    if (!isSame(there, lock) || lock.epoch() != lastEpoch(status, purpose)) {
      throw new RefusedException(
          "the "
              + purpose.field
              + " of "
              + address
              + " with epoch "
              + lock.epoch()
              + " was lost; the last epoch is "
              + lastEpoch(status, purpose)
              + there.map(other -> " of " + other.holder()).orElse("")
              + ": drop the work, or take the lock anew and do it again");
    }
  }

  /** Returns the state that the remaining locks imply. */
  private static String stateWithoutLock(ObjectNode status) {
    return Stream.of(Purpose.values())
        .filter(purpose -> status.path(purpose.field).isObject())
        .map(purpose -> purpose.state)
        .findFirst()
        .orElse("ready");
  }

  private boolean whileHeld(
      Address address, Purpose purpose, Lock lock, Consumer<ObjectNode> change) {
    Retry.Backoff backoff = names.startRetry();
    while (true) {
      ConcernValue status = status(address);
      if (!isSame(lockIn(status, purpose), lock)) {
        return false;
      }
      if (tryPush(address, status, change)) {
        return true;
      }
      ContentionException.pauseOrGiveUp(backoff, address);
    }
  }

  private static boolean isSame(Optional<Lock> there, Lock lock) {
    return there.filter(found -> found.isOf(lock)).isPresent();
  }

  /** Returns the locks in a status that hadn't expired at a time, by purpose. */
  public static Map<Purpose, Lock> locksHeldAt(ConcernValue status, Instant at) {
    Map<Purpose, Lock> held = new EnumMap<>(Purpose.class);
    if (status.payload().isEmpty()) {
      return held;
    }
    for (Purpose purpose : Purpose.values()) {
      lockIn(status, purpose)
          .filter(lock -> lock.expiresAt() > at.getEpochSecond())
          .ifPresent(lock -> held.put(purpose, lock));
    }
    return held;
  }

  /** Returns the lock fields of a status: the holders, and the last epochs. */
  public static Payload locksIn(ConcernValue status) {
    return only(
        status,
        Stream.of(Purpose.values()).flatMap(each -> Stream.of(each.field, each.epochField())));
  }

  /** Returns only the lock epochs of a status, without holders, as in a retracted record. */
  public static Payload epochsIn(ConcernValue status) {
    return only(status, Stream.of(Purpose.values()).map(Purpose::epochField));
  }

  private static Payload only(ConcernValue status, Stream<String> fields) {
    List<String> kept = fields.toList();
    return status
        .payload()
        .map(payload -> payload.with(json -> json.retain(kept)))
        .orElseGet(() -> Payload.build(json -> {}));
  }

  /** Returns the fields of a status that concern neither locks nor the work of their holders. */
  public static Payload withoutLockFields(ConcernValue status) {
    return status
        .payload()
        .map(
            payload ->
                payload.with(
                    json -> {
                      for (Purpose purpose : Purpose.values()) {
                        json.remove(List.of(purpose.field, purpose.epochField()));
                      }
                      json.remove(List.of("state", "progress"));
                    }))
        .orElseGet(() -> Payload.build(json -> {}));
  }

  /** Returns the status with all locks released, without their epochs. */
  static ObjectNode withoutLocks(Payload status) {
    ObjectNode json = status.toTree();
    boolean locked = false;
    for (Purpose purpose : Purpose.values()) {
      locked |= json.path(purpose.field).isObject();
      json.remove(List.of(purpose.field, purpose.epochField()));
    }
    if (locked) {
      json.remove("progress");
      json.put("state", stateWithoutLock(json));
    }
    return json;
  }

  /** Takes over from a status what must outlive it: no epoch may be given out twice. */
  static void keepEpochs(Payload before, ObjectNode status) {
    for (Purpose purpose : Purpose.values()) {
      JsonNode epoch = before.json().path(purpose.epochField());
      if (epoch.isIntegralNumber()) {
        status.set(purpose.epochField(), epoch);
      }
    }
  }

  private boolean tryPush(Address address, ConcernValue status, Consumer<ObjectNode> change) {
    Payload next = status.payload().orElseThrow().with(change);
    ConcernValue value = ConcernValue.of(status.watermark() + 1, next);
    return names.push(address, Concern.STATUS, Optional.of(status), value).updated();
  }

  private ConcernValue status(Address address) {
    return names.get(address, Concern.STATUS).orElseThrow(() -> NameService.notFound(address));
  }

  private static ObjectNode write(ObjectNode json, Lock lock) {
    json.put("holder", lock.holder()).put("epoch", lock.epoch());
    lock.targetT().ifPresent(t -> json.put("target_t", t));
    json.put("expires_at", lock.expiresAt());
    lock.id().ifPresent(id -> json.put("id", id));
    return json;
  }

  /** Locks of other programs have no epoch; they count as 0. */
  private static Optional<Lock> lockIn(ConcernValue status, Purpose purpose) {
    JsonNode whole = status.payload().map(Payload::toTree).orElseThrow();
    JsonNode json = whole.path(purpose.field);
    if (!json.isObject()) {
      return Optional.empty();
    }
    JsonNode target = json.path("target_t");
    JsonNode progress = whole.path("progress");
    return Optional.of(
        new Lock(
            json.path("holder").asText(),
            json.path("epoch").asLong(0),
            json.path("expires_at").asLong(0),
            target.isNumber() ? OptionalLong.of(target.asLong()) : OptionalLong.empty(),
            progress.isNumber() ? OptionalDouble.of(progress.asDouble()) : OptionalDouble.empty(),
            Optional.ofNullable(json.path("id").textValue())));
  }

  private static long lastEpoch(ConcernValue status, Purpose purpose) {
    return status.payload().orElseThrow().toTree().path(purpose.epochField()).asLong(0);
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
