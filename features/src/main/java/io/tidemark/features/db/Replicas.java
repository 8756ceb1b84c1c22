// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.FeaturesOptions;
import io.tidemark.features.db.Database.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
    final Database database;
    private volatile boolean down;
    private volatile long since;

    Replica(Database database) {
      this.database = database;
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
  public static Replicas connect(FeaturesOptions options) {
    boolean slow = options.connectTimeout().compareTo(LONGEST_CONNECT) > 0;
    FeaturesOptions quick = slow ? options.withConnectTimeout(LONGEST_CONNECT) : options;
    List<Replica> replicas =
        options.replicas().stream()
            .map(url -> new Replica(Database.connectLater(url, quick)))
            .toList();
    return new Replicas(replicas, options.replicaPatience().toNanos());
  }

  /**
   * A connection in a transaction that only reads, all of it at one moment, on a replica that has
   * what is asked for. Empty when there is none in time.
   *
   * @param has whether it is there at that moment
   */
  public Optional<Connection> begin(Work<Boolean> has) {
    long start = System.nanoTime();
    int first = Math.floorMod(turn.getAndIncrement(), Math.max(1, replicas.size()));
    while (replicas.stream().anyMatch(Replica::askable)) {
      for (int n = 0; n < replicas.size(); n++) {
        Replica replica = replicas.get((first + n) % replicas.size());
        Optional<Connection> found = replica.askable() ? begin(replica, has) : Optional.empty();
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

  private static Optional<Connection> begin(Replica replica, Work<Boolean> has) {
    try {
      Connection connection = replica.database.take();
      try {
        connection.setReadOnly(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        boolean there = has.on(connection);
        replica.down = false;
        if (there) {
          return Optional.of(connection);
        }
        connection.rollback();
        connection.close();
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException | RuntimeException e) {
      // Whatever it is, perhaps that it doesn't even have the storage yet: others can be asked.
      LOG.warn("a replica can't be asked; it is left alone for a while", e);
      replica.failed();
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    replicas.forEach(replica -> replica.database.close());
  }
}
