// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.features.db.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A commit whose answer was lost. The server is asked on another connection, again and again as
 * long as the transaction is under way there. Once it isn't, the transaction log tells whether it
 * was committed: whatever a transaction changes is noted there, and goes with it.
 *
 * <p>The status of its id alone wouldn't do. If the server has crashed, and nothing of the
 * transaction had reached the disk, then the id may belong to somebody else by now. The time when
 * the transaction began tells them apart.
 */
public final class LostCommit {

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

  private final Database database;
  private final String schema;
  private final Begin begin;

  /**
   * How a transaction is recognised.
   *
   * @param xid its id in PostgreSQL
   * @param time when it began by the server's clock, in PostgreSQL's words
   */
  public record Begin(String xid, String time) {}

  /**
   * A commit that nobody has answered.
   *
   * @param schema where the storage is in the database, a plain name
   */
  public LostCommit(Database database, String schema, Begin begin) {
    this.database = database;
    this.schema = schema;
    this.begin = begin;
  }

  /** Whether the transaction was committed; one that has changed nothing counts as not. */
  public boolean hasHappened(SQLException lost) {
    RuntimeException last = null;
    long since = System.nanoTime();
    while (System.nanoTime() - since < PATIENCE) {
      try {
        if (!underWay()) {
          return database.inTransaction(this::logged);
        }
      } catch (StorageUnavailableException e) {
        last = e;
      }
      LockSupport.parkNanos(PAUSE);
    }
    CommitUnknownException unknown =
        new CommitUnknownException(
            "the connection broke during the commit of transaction %1$s, and the server can't say"
                    .formatted(begin.xid())
                + " what became of it; look in naksha_tx for the psql_id %1$s with the ts %2$s"
                    .formatted(begin.xid(), begin.time()),
            lost);
    if (last != null) {
      unknown.addSuppressed(last);
    }
    throw unknown;
  }

  private boolean underWay() {
    try {
      String status = "SELECT coalesce(pg_xact_status(?::xid8), '') = 'in progress'";
      return database.inTransaction(connection -> yes(connection, status, begin.xid()));
    } catch (InvalidRequestException e) {
      // A crash has wiped the transaction out, so its id is one that is still to come.
      return false;
    }
  }

  private boolean logged(Connection connection) throws SQLException {
    String sql =
        "SELECT EXISTS (SELECT FROM %1$s.naksha_tx WHERE psql_id = ?::bigint AND ts = ?::timestamptz"
                .formatted(schema)
            + " AND txn >= %1$s.naksha_txn(?::timestamptz, 0))".formatted(schema);
    return yes(connection, sql, begin.xid(), begin.time(), begin.time());
  }

  private static boolean yes(Connection connection, String sql, String... arguments)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        query.setString(i + 1, arguments[i]);
      }
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
