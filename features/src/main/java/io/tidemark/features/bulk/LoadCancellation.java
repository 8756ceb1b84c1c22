// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.db.SqlSession;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancellation of a load by another thread: no new step begins, and the running statement is
 * cancelled.
 */
final class LoadCancellation {

  private static final Logger LOG = LoggerFactory.getLogger(LoadCancellation.class);

  private final IdentityHashMap<SqlSession, PGConnection> busy = new IdentityHashMap<>();
  private boolean asked;
  private boolean tooLate;

  /** Stops the load, unless it is about to commit. */
  synchronized void request() {
    asked = !tooLate;
    if (asked) {
      cancel();
    }
  }

  /** Cancels the running statement, because another part of the load has failed. */
  synchronized void cancel() {
    busy.values().forEach(LoadCancellation::cancel);
  }

  synchronized void throwIfCancelled() {
    if (asked) {
      throw new LoadStoppedException("the load was stopped; nothing of it is there");
    }
  }

  /** Ends the time in which the load can be stopped. */
  synchronized void passPointOfNoReturn() {
    throwIfCancelled();
    tooLate = true;
  }

  /** Registers a session that is in use until it is left. */
  synchronized void register(SqlSession sqlSession) {
    throwIfCancelled();
    busy.put(sqlSession, sqlSession.with(connection -> connection.unwrap(PGConnection.class)));
  }

  synchronized void unregister(SqlSession sqlSession) {
    busy.remove(sqlSession);
  }

  private static void cancel(PGConnection connection) {
    try {
      connection.cancelQuery();
    } catch (SQLException e) {
      LOG.debug("a statement couldn't be cancelled; it ends by itself or with its connection", e);
    }
  }
}
