// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.db.PrimaryNeededException;
import io.tidemark.features.db.Replicas;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.objects.TidemarkException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Router of reads to the replicas in turn, and to the primary when there is no replica or when it
 * can't answer. A read that the server cancels runs again, unless it has handed out features.
 */
public final class ReadRouter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReadRouter.class);

  private static final int MOST_ATTEMPTS = 20;

  private final FeatureStorage featureStorage;
  private final Replicas replicas;

  public ReadRouter(FeatureStorage featureStorage, Replicas replicas) {
    this.featureStorage = featureStorage;
    this.replicas = replicas;
  }

  /** Runs a read on any server. */
  public <T> T read(Function<ReadTransaction, T> work) {
    return read(sqlSession -> true, work);
  }

  /** Runs a read in a snapshot that includes at least the given transaction. */
  public <T> T readSince(Txn transaction, Function<ReadTransaction, T> work) {
    return read(sqlSession -> has(sqlSession, transaction), work);
  }

  private <T> T read(Predicate<SqlSession> has, Function<ReadTransaction, T> work) {
    Optional<SqlSession> replica = replicas.begin(has);
    if (replica.isPresent()) {
      SqlSession sqlSession = replica.get();
      ReadTransaction readTransaction = new ReadTransaction(sqlSession);
      try (sqlSession) {
        return work.apply(readTransaction);
      } catch (TidemarkException e) {
        if (!(e instanceof PrimaryNeededException || PostgresErrorTranslator.isReplicaFailure(e))) {
          throw e;
        }
        readTransaction.requireNothingDelivered(e);
        LOG.debug("a replica can't answer; the primary is asked", e);
      }
    }
    return readOnPrimary(work);
  }

  /** A load or a merge may replace tables between the snapshot of a read and its first query. */
  private <T> T readOnPrimary(Function<ReadTransaction, T> work) {
    for (int attempt = 1; ; attempt++) {
      try (SqlSession sqlSession = featureStorage.session()) {
        ReadTransaction readTransaction = new ReadTransaction(sqlSession);
        try {
          return sqlSession.inTransaction(
              s -> {
                s.readOnlySnapshot();
                return work.apply(readTransaction);
              });
        } catch (StorageUnavailableException e) {
          if (attempt == MOST_ATTEMPTS
              || !PostgresErrorTranslator.isTableReplaced(e)
              || readTransaction.hasDelivered()) {
            throw e;
          }
        }
      }
    }
  }

  /** Each transaction that changed something has a row in the log. */
  private static boolean has(SqlSession sqlSession, Txn transaction) {
    return sqlSession.queryBoolean(
        "SELECT EXISTS (SELECT FROM %s.naksha_tx WHERE txn = ?)", transaction.value());
  }

  /** Closes the connections to the replicas. */
  @Override
  public void close() {
    replicas.close();
  }
}
