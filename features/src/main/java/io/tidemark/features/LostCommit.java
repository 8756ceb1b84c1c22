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
 * A commit whose answer was lost. The server knows what became of the transaction, so it is asked
 * on another connection; as long as it is still at it, it is asked again.
 */
public final class LostCommit {

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

  private final Database database;
  private final String xid;

  public LostCommit(Database database, String xid) {
    this.database = database;
    this.xid = xid;
  }

  /** Whether the transaction was committed. */
  public boolean hasHappened(SQLException lost) {
    RuntimeException last = null;
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < PATIENCE) {
      try {
        String status = database.inTransaction(this::status);
        if (!status.equals("in progress")) {
          return status.equals("committed");
        }
      } catch (StorageUnavailableException e) {
        last = e;
      }
      LockSupport.parkNanos(PAUSE);
    }
    CommitUnknownException unknown =
        new CommitUnknownException(
            "the connection broke during the commit of transaction "
                + xid
                + ", and the server can't say what became of it; ask pg_xact_status('"
                + xid
                + "') or look for its txn in naksha_tx",
            lost);
    if (last != null) {
      unknown.addSuppressed(last);
    }
    throw unknown;
  }

  private String status(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT pg_xact_status(?::xid8)")) {
      query.setString(1, xid);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return String.valueOf(row.getString(1));
      }
    }
  }
}
