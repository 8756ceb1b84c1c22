// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Rows of a JDBC result. */
record JdbcResultRows(ResultSet result) implements ResultRows {

  @Override
  public boolean next() throws SQLException {
    return result.next();
  }

  @Override
  public long number(int column) throws SQLException {
    return result.getLong(column);
  }

  @Override
  public boolean isNull(int column) throws SQLException {
    return result.getObject(column) == null;
  }

  @Override
  public String text(int column) throws SQLException {
    return Optional.ofNullable(result.getString(column)).orElse("");
  }

  @Override
  public void close() throws SQLException {
    result.close();
  }
}
