// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.model.CommitUnknownException;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit of a transaction, and its outcome if the answer is lost. The server is asked on
 * another connection, again and again as long as the transaction is running there. Once it isn't,
 * the transaction log tells whether it was committed: every change of a transaction is recorded
 * there, and rolled back with it.
 *
 * <p>The status of the transaction id alone wouldn't suffice. If the server has crashed, and
 * nothing of the transaction had reached the disk, then another transaction may have the id by now.
 * The time when the transaction began tells them apart.
 *
 * @param storage the storage to ask
 * @param begin identifies the transaction
 */
public record CommitResolver(FeatureStorage storage, TransactionStart begin) {

  private static final Logger LOG = LoggerFactory.getLogger(CommitResolver.class);

  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

  /** Minimum time for an answer, however little of the deadline is left. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  /**
   * Identification of a transaction.
   *
   * @param xid its id in PostgreSQL
   * @param time when it began by the server's clock, in PostgreSQL's words
   */
  public record TransactionStart(String xid, String time) {}

  /**
   * Commits the work of a session.
   *
   * @throws StorageUnavailableException if the transaction wasn't committed
   * @throws CommitUnknownException if the connection broke and the server can't be asked
   */
  public void commit(SqlSession sqlSession) {
    try {
      sqlSession.commit();
    } catch (StorageUnavailableException e) {
      if (!PostgresErrorTranslator.isConnectionLost(e)) {
        throw e;
      }
      if (!wasCommitted(e)) {
        throw new StorageUnavailableException(
            "the connection broke during the commit, which didn't take place; do it again", e);
      }
      LOG.warn("the connection broke during a commit, which took place all the same", e);
    }
  }

  /**
   * Returns whether the transaction was committed; one that has changed nothing counts as not
   * committed. A thread that is interrupted asks once more and then gives up.
   *
   * @throws CommitUnknownException if the server can't say in time
   */
  public boolean wasCommitted(TidemarkException lost) {
    Duration patience = storage.database().options().commitPatience();
    long since = System.nanoTime();
    Duration left = patience;
    RuntimeException last;
    do {
      try {
        Optional<Boolean> happened = queryOutcome(left.compareTo(LEAST) < 0 ? LEAST : left, lost);
        if (happened.isPresent()) {
          return happened.get();
        }
        last = new StorageUnavailableException("the transaction is still under way");
      } catch (StorageUnavailableException e) {
        last = e;
      }
      LockSupport.parkNanos(PAUSE);
      left = patience.minusNanos(System.nanoTime() - since);
    } while (!left.isNegative() && !Thread.currentThread().isInterrupted());
    CommitUnknownException unknown =
        unknown(
            "the server can't say what became of it; ask again by Features.tookPlace or 'tidemark"
                + " features outcome %s \"%s\"', or".formatted(begin.xid(), begin.time()),
            lost);
    unknown.addSuppressed(last);
    throw unknown;
  }

  /**
   * Returns the outcome, or empty while the transaction is under way; each query has a deadline.
   */
  private Optional<Boolean> queryOutcome(Duration within, TidemarkException lost) {
    try (SqlSession sqlSession = storage.session()) {
      sqlSession.setReadTimeout(within);
      return underWay(sqlSession)
          ? Optional.empty()
          : Optional.of(sqlSession.inTransaction(s -> isLogged(s, lost)));
    }
  }

  private CommitUnknownException unknown(String why, TidemarkException lost) {
    String storageId = storage.place().storageId();
    String text =
        "the connection broke during the commit of transaction %1$s in storage '%4$s', and %3$s look"
            + " in naksha_tx for the psql_id %1$s with the ts %2$s before doing it again";
    return new CommitUnknownException(
        text.formatted(begin.xid(), begin.time(), why, storageId),
        storageId,
        begin.xid(),
        begin.time(),
        lost);
  }

  private boolean underWay(SqlSession sqlSession) {
    try {
      String status = "SELECT coalesce(pg_xact_status(?::xid8), '') = 'in progress'";
      return sqlSession.inTransaction(s -> s.queryBoolean(status, begin.xid()));
    } catch (InvalidRequestException e) {
      // A crash has wiped the transaction out, so its id is one that is still to come.
      return false;
    }
  }

  private boolean isLogged(SqlSession sqlSession, TidemarkException lost) {
    boolean logged =
        sqlSession.queryBoolean(
            "SELECT EXISTS (SELECT FROM %s.naksha_tx WHERE psql_id = ?::bigint AND ts ="
                + " ?::timestamptz AND txn >= %s.naksha_txn(?::timestamptz, 0))",
            begin.xid(), begin.time(), begin.time());
    if (!logged && mayHaveBeenDropped(sqlSession)) {
      throw unknown("the log of its day was dropped since; if there is a copy,", lost);
    }
    return logged;
  }

  /** Its number is of the day on which it began, or of a later one. */
  private boolean mayHaveBeenDropped(SqlSession sqlSession) {
    return sqlSession.queryBoolean(
        "SELECT EXISTS (SELECT FROM %s.naksha_tx_dropped WHERE last_xid >= ?::bigint"
            + " AND day >= (?::timestamptz AT TIME ZONE 'UTC')::date)",
        begin.xid(), begin.time());
  }
}
