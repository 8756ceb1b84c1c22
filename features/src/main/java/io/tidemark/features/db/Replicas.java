// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.model.StorageUnusableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that follow the primary and can be read. They are asked in turn. A replica that can't be
 * reached or doesn't have the storage is skipped for a while; one that lags behind is asked again,
 * for as long as the options allow.
 *
 * <p>A server that follows no other is refused, unless it is the primary itself. It would answer,
 * but its data has diverged, perhaps only since a restored dump or a promotion. Each read checks
 * this in its own session: behind an address there may be another server at any time.
 */
public final class Replicas implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);

  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(1);
  private static final long LEFT_ALONE = TimeUnit.SECONDS.toNanos(5);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

  private final FeatureStorage primary;
  private final List<Replica> replicas;
  private final long patience;
  private final AtomicInteger turn = new AtomicInteger();

  /** The primary when it was asked last; none is asked if there are no replicas. */
  private volatile @Nullable ServerIdentity own;

  private Replicas(FeatureStorage primary, @Nullable ServerIdentity own, List<Replica> replicas) {
    this.primary = primary;
    this.own = own;
    this.replicas = replicas;
    this.patience = primary.database().options().replicaPatience().toNanos();
  }

  /** A replica, and since when it is down. */
  private static final class Replica {
    final FeatureStorage storage;
    private volatile boolean down;
    private volatile long since;

    Replica(FeatureStorage featureStorage) {
      this.storage = featureStorage;
    }

    boolean isAvailable() {
      return !down || System.nanoTime() - since > LEFT_ALONE;
    }

    /** Any failure counts, even that the storage isn't there yet: other replicas can be asked. */
    void failed(RuntimeException why) {
      LOG.warn("a replica can't be asked and is left alone for a while: {}", why.getMessage());
      LOG.debug("why it can't", why);
      since = System.nanoTime();
      down = true;
    }
  }

  /** Returns the replicas that the options of a storage name; none of them need be reachable. */
  public static Replicas connect(FeatureStorage primary) {
    FeaturesOptions options = primary.database().options();
    if (options.replicas().isEmpty()) {
      return new Replicas(primary, null, List.of());
    }
    boolean slow = options.connectTimeout().compareTo(LONGEST_CONNECT) > 0;
    FeaturesOptions quick = slow ? options.withConnectTimeout(LONGEST_CONNECT) : options;
    return new Replicas(
        primary,
        primary.inTransaction(ServerIdentity::query),
        options.replicas().stream()
            .map(url -> new FeatureStorage(Database.connectLater(url, quick), primary.place()))
            .map(Replica::new)
            .toList());
  }

  /**
   * Begins a read-only session in one snapshot, on a replica that has the requested data; the
   * caller closes it. Empty when no replica has it in time.
   *
   * @param has whether the data is in that snapshot
   * @throws StorageUnusableException if a server that is asked isn't a replica of the primary
   */
  public Optional<SqlSession> begin(Predicate<SqlSession> has) {
    long start = System.nanoTime();
    int first = Math.floorMod(turn.getAndIncrement(), Math.max(1, replicas.size()));
    while (replicas.stream().anyMatch(Replica::isAvailable)) {
      for (int n = 0; n < replicas.size(); n++) {
        Replica replica = replicas.get((first + n) % replicas.size());
        Optional<SqlSession> found = replica.isAvailable() ? begin(replica, has) : Optional.empty();
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

  private Optional<SqlSession> begin(Replica replica, Predicate<SqlSession> has) {
    Optional<SqlSession> begun = Optional.empty();
    try {
      SqlSession sqlSession = replica.storage.session();
      try {
        sqlSession.readOnlySnapshot();
        if (follows(sqlSession)) {
          begun = has.test(sqlSession) ? Optional.of(sqlSession) : begun;
          replica.down = false;
          return begun;
        }
      } finally {
        if (begun.isEmpty()) {
          sqlSession.close();
        }
      }
    } catch (RuntimeException e) {
      replica.failed(e);
      return Optional.empty();
    }
    throw new StorageUnusableException(
        "%s is no replica of %s: it follows no other server, and isn't that one; name servers that follow the database's"
            .formatted(replica.storage.database().address(), primary.database().address()));
  }

  /**
   * Returns whether the session's server follows another one, or is the primary itself; fails if it
   * doesn't have the storage.
   */
  private boolean follows(SqlSession sqlSession) {
    ServerIdentity serverIdentity = ServerIdentity.query(sqlSession);
    ServerIdentity known = Objects.requireNonNull(own);
    if (!serverIdentity.follows()) {
      return serverIdentity.is(known) || isPrimaryNow(sqlSession);
    }
    if (!serverIdentity.identity().equals(known.identity())) {
      throw new PrimaryNeededException(
          serverIdentity.identity().isEmpty()
              ? "it doesn't have the storage yet"
              : "it has another storage than " + primary.database().address());
    }
    return true;
  }

  /**
   * The primary may have been started anew since it was asked, or be another server. No session
   * outlasts a start, so one that can be asked behind it was of the same server all the time.
   */
  private boolean isPrimaryNow(SqlSession sqlSession) {
    ServerIdentity now = primary.inTransaction(ServerIdentity::query);
    own = now;
    return ServerIdentity.query(sqlSession).is(now);
  }

  @Override
  public void close() {
    replicas.forEach(replica -> replica.storage.database().close());
  }
}
