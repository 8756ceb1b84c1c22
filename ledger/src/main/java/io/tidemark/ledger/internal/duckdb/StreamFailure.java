// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Cause of a statement's failure. When rows are streamed, the driver reports a failure without its
 * cause; so the statement is run once more, only for its exception.
 */
final class StreamFailure {

  private static final String UNTOLD = "Invalid result set";

  private StreamFailure() {}

  static SQLException of(SQLException failure, Connection connection, String sql) {
    if (!String.valueOf(failure.getMessage()).contains(UNTOLD)) {
      return failure;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("EXPLAIN ANALYZE " + sql);
      return failure;
    } catch (SQLException told) {
      return told;
    }
  }
}
