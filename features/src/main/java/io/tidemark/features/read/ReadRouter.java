// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.db.Failures;
import io.tidemark.features.db.PrimaryNeededException;
import io.tidemark.features.db.Replicas;
import io.tidemark.features.db.Session;
import io.tidemark.features.db.Storage;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.objects.TidemarkException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs reads on the replicas in turn, and on the primary when there is none or when the replica
 * can't answer. A read that the server breaks off runs again, unless it has handed out features.
 */
public final class ReadRouter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReadRouter.class);

  private static final int MOST_ATTEMPTS = 20;

  private final Storage storage;
  private final Replicas replicas;

  public ReadRouter(Storage storage, Replicas replicas) {
    this.storage = storage;
    this.replicas = replicas;
  }

  /** Runs a read on any server. */
  public <T> T read(Function<Reading, T> work) {
    return read(session -> true, work);
  }

  /** Runs a read that sees at least what a transaction has done. */
  public <T> T readSince(Txn transaction, Function<Reading, T> work) {
    return read(session -> has(session, transaction), work);
  }

  private <T> T read(Predicate<Session> has, Function<Reading, T> work) {
    Optional<Session> replica = replicas.begin(has);
    if (replica.isPresent()) {
      Session session = replica.get();
      Reading reading = new Reading(session);
      try (session) {
        return work.apply(reading);
      } catch (TidemarkException e) {
        if (!(e instanceof PrimaryNeededException || Failures.replicaGivesUp(e))) {
          throw e;
        }
        reading.checkUntold(e);
        LOG.debug("a replica can't answer; the primary is asked", e);
      }
    }
    return readOnPrimary(work);
  }

  /** A load or a merge may replace tables between the snapshot of a read and its first query. */
  private <T> T readOnPrimary(Function<Reading, T> work) {
    for (int attempt = 1; ; attempt++) {
      try (Session session = storage.take()) {
        Reading reading = new Reading(session);
        try {
          return session.committed(
              s -> {
                s.seeOneMoment();
                return work.apply(reading);
              });
        } catch (StorageUnavailableException e) {
          if (attempt == MOST_ATTEMPTS || !Failures.rearranged(e) || reading.hasTold()) {
            throw e;
          }
        }
      }
    }
  }

  /** Each transaction that changed something has a row in the log. */
  private static boolean has(Session session, Txn transaction) {
    return session.yes(
        "SELECT EXISTS (SELECT FROM %s.naksha_tx WHERE txn = ?)", transaction.value());
  }

  /** Closes the connections to the replicas. */
  @Override
  public void close() {
    replicas.close();
  }
}
