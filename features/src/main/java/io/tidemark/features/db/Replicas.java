// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.FeaturesOptions;
import io.tidemark.features.StorageUnusableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that follow the primary and can be read. They are asked in turn. One that can't be
 * reached is left alone for a while; one that lags behind what is asked for is asked again, for as
 * long as the options allow. One that has another storage is refused: it would answer, and what it
 * answers would be about other features.
 */
public final class Replicas implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);

  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(1);
  private static final long LEFT_ALONE = TimeUnit.SECONDS.toNanos(5);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

  private final Storage primary;
  private final String identity;
  private final List<Replica> replicas;
  private final long patience;
  private final AtomicInteger turn = new AtomicInteger();

  private Replicas(Storage primary, String identity, List<Replica> replicas) {
    this.primary = primary;
    this.identity = identity;
    this.replicas = replicas;
    this.patience = primary.database().options().replicaPatience().toNanos();
  }

  /** One of them, whether it is known to have the same storage, and since when it is down. */
  private static final class Replica {
    final Storage storage;
    private volatile boolean known;
    private volatile boolean down;
    private volatile long since;

    Replica(Storage storage) {
      this.storage = storage;
    }

    boolean askable() {
      return !down || System.nanoTime() - since > LEFT_ALONE;
    }

    /**
     * Whatever it is, perhaps that it doesn't even have the storage yet: others can be asked. What
     * is there when it comes back may be another one.
     */
    void failed(RuntimeException why) {
      LOG.warn("a replica can't be asked and is left alone for a while: {}", why.getMessage());
      LOG.debug("why it can't", why);
      since = System.nanoTime();
      down = true;
      known = false;
    }
  }

  /** Those that the options of a storage name; none of them need be there. */
  public static Replicas connect(Storage primary) {
    FeaturesOptions options = primary.database().options();
    if (options.replicas().isEmpty()) {
      return new Replicas(primary, "", List.of());
    }
    boolean slow = options.connectTimeout().compareTo(LONGEST_CONNECT) > 0;
    FeaturesOptions quick = slow ? options.withConnectTimeout(LONGEST_CONNECT) : options;
    String identity = primary.inTransaction(Replicas::identity).orElseThrow();
    return new Replicas(
        primary,
        identity,
        options.replicas().stream()
            .map(url -> new Storage(Database.connectLater(url, quick), primary.place()))
            .map(Replica::new)
            .toList());
  }

  /** What tells the storage from others; it comes with a dump. */
  private static Optional<String> identity(Session session) {
    return session.text("SELECT value::text FROM %s.naksha_identity");
  }

  /**
   * A session that only reads, all of it at one moment, on a replica that has what is asked for;
   * the caller closes it. Empty when there is none in time.
   *
   * @param has whether it is there at that moment
   * @throws StorageUnusableException if one that is asked isn't a replica of the primary
   */
  public Optional<Session> begin(Predicate<Session> has) {
    long start = System.nanoTime();
    int first = Math.floorMod(turn.getAndIncrement(), Math.max(1, replicas.size()));
    while (replicas.stream().anyMatch(Replica::askable)) {
      for (int n = 0; n < replicas.size(); n++) {
        Replica replica = replicas.get((first + n) % replicas.size());
        Optional<Session> found = replica.askable() ? begin(replica, has) : Optional.empty();
        if (found.isPresent()) {
          return found;
        }
      }
      if (System.nanoTime() - start > patience) {
        break;
      }
      LockSupport.parkNanos(PAUSE);
    }
    return Optional.empty();
  }

  private Optional<Session> begin(Replica replica, Predicate<Session> has) {
    boolean follows;
    try {
      follows = replica.known || follows(replica);
    } catch (RuntimeException e) {
      replica.failed(e);
      return Optional.empty();
    }
    if (!follows) {
      throw new StorageUnusableException(
          "%s is no replica of %s: it has another storage in the schema %s, or none; name replicas of the database itself"
              .formatted(
                  replica.storage.database().address(),
                  primary.database().address(),
                  primary.place().schema()));
    }
    replica.known = true;
    try {
      Session session = replica.storage.take();
      if (begun(session, has)) {
        replica.down = false;
        return Optional.of(session);
      }
      session.close();
      replica.down = false;
    } catch (RuntimeException e) {
      replica.failed(e);
    }
    return Optional.empty();
  }

  /** Whether it has the same storage; fails if that can't be said (yet). */
  private boolean follows(Replica replica) {
    return replica.storage.inTransaction(
        session -> {
          boolean there = session.yes("SELECT to_regclass('%s.naksha_identity') IS NOT NULL");
          if (!there && session.yes("SELECT pg_is_in_recovery()")) {
            throw new PrimaryNeededException("it doesn't have the storage yet");
          }
          return there && identity(session).equals(Optional.of(identity));
        });
  }

  private static boolean begun(Session session, Predicate<Session> has) {
    try {
      session.seeOneMoment();
      return has.test(session);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  @Override
  public void close() {
    replicas.forEach(replica -> replica.storage.database().close());
  }
}
