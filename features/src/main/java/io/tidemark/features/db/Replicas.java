// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.FeaturesOptions;
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
 * long as the options allow.
 */
public final class Replicas implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);

  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(1);
  private static final long LEFT_ALONE = TimeUnit.SECONDS.toNanos(5);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

  private final List<Replica> replicas;
  private final long patience;
  private final AtomicInteger turn = new AtomicInteger();

  private Replicas(List<Replica> replicas, long patience) {
    this.replicas = replicas;
    this.patience = patience;
  }

  /** One of them, and since when it can't be reached. */
  private static final class Replica {
    final Storage storage;
    private volatile boolean down;
    private volatile long since;

    Replica(Storage storage) {
      this.storage = storage;
    }

    boolean askable() {
      return !down || System.nanoTime() - since > LEFT_ALONE;
    }

    void failed() {
      since = System.nanoTime();
      down = true;
    }
  }

  /** Those that the options name; none of them need be there. */
  public static Replicas connect(FeaturesOptions options, Place place) {
    boolean slow = options.connectTimeout().compareTo(LONGEST_CONNECT) > 0;
    FeaturesOptions quick = slow ? options.withConnectTimeout(LONGEST_CONNECT) : options;
    List<Replica> replicas =
        options.replicas().stream()
            .map(url -> new Replica(new Storage(Database.connectLater(url, quick), place)))
            .toList();
    return new Replicas(replicas, options.replicaPatience().toNanos());
  }

  /**
   * A session that only reads, all of it at one moment, on a replica that has what is asked for;
   * the caller closes it. Empty when there is none in time.
   *
   * @param has whether it is there at that moment
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

  private static Optional<Session> begin(Replica replica, Predicate<Session> has) {
    try {
      Session session = replica.storage.take();
      if (begun(session, has)) {
        replica.down = false;
        return Optional.of(session);
      }
      session.close();
      replica.down = false;
    } catch (RuntimeException e) {
      // Whatever it is, perhaps that it doesn't even have the storage yet: others can be asked.
      LOG.warn("a replica can't be asked and is left alone for a while: {}", e.getMessage());
      LOG.debug("why it can't", e);
      replica.failed();
    }
    return Optional.empty();
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
