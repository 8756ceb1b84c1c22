// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.objects.TidemarkException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Identity of a server and of the connected database.
 *
 * @param follows whether it follows another server
 * @param started when it was started, to the microsecond, which tells it from other servers
 * @param database the number of the database on it
 * @param identity tells the storage from others, its copies by dump excepted; empty when there is
 *     none
 */
record ServerIdentity(boolean follows, String started, long database, Optional<String> identity) {

  /** Notes for the rest of the transaction whether its moment is one of a server that follows. */
  private static final String QUESTION =
      "SELECT set_config('naksha.follows', pg_is_in_recovery()::text, true)::boolean,"
          + " extract(epoch FROM pg_postmaster_start_time())::text,"
          + " (SELECT oid FROM pg_database WHERE datname = current_database())";

  /**
   * Queries the identity, in one statement unless there is no storage; then the transaction begins
   * anew.
   */
  static ServerIdentity query(SqlSession sqlSession) {
    try {
      return sqlSession.queryOne(
          QUESTION + ", ARRAY(SELECT value::text FROM %s.naksha_identity)",
          row -> of(row, Optional.of(identity(sqlSession, (String[]) row.getArray(4).getArray()))));
    } catch (TidemarkException e) {
      if (!PostgresErrorTranslator.isStorageMissing(e)) {
        throw e;
      }
    }
    sqlSession.rollback();
    return sqlSession.queryOne(QUESTION, row -> of(row, Optional.empty()));
  }

  private static ServerIdentity of(ResultSet row, Optional<String> identity) throws SQLException {
    return new ServerIdentity(row.getBoolean(1), row.getString(2), row.getLong(3), identity);
  }

  private static String identity(SqlSession sqlSession, String[] values) {
    if (values.length != 1) {
      throw new StorageUnusableException(
          "the table naksha_identity of the schema %s has %d rows rather than one, so nobody can tell the storage from others; put the row back that it had"
              .formatted(sqlSession.place().schema(), values.length));
    }
    return values[0];
  }

  /** Returns whether this is the same server, not restarted, and the same database on it. */
  boolean is(ServerIdentity other) {
    return started.equals(other.started) && database == other.database;
  }
}
