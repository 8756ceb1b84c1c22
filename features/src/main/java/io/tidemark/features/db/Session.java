// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements on one connection to a storage, for what works with its tables from outside the room's
 * root. In each of them {@code %s} is the schema; what they refuse is an {@link SQLException}.
 *
 * @param connection where they are sent
 * @param schema the schema of the storage, a plain name
 */
public record Session(Connection connection, String schema) {

  /** Turns a row into something. */
  @FunctionalInterface
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** The rows of a query. */
  public <T> List<T> rows(String sql, Row<T> row, @Nullable Object... arguments)
      throws SQLException {
    try (PreparedStatement query = prepared(sql, arguments);
        ResultSet found = query.executeQuery()) {
      List<T> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(row.read(found));
      }
      return rows;
    }
  }

  /** The first column of the only row. */
  public long number(String sql, @Nullable Object... arguments) throws SQLException {
    return rows(sql, row -> row.getLong(1), arguments).get(0);
  }

  /** The first column of every row. */
  public List<String> texts(String sql, @Nullable Object... arguments) throws SQLException {
    return rows(sql, row -> row.getString(1), arguments);
  }

  /** Does statements that have no arguments, and looks at no answer. */
  public void run(String statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(statements.replace("%s", schema));
    }
  }

  private PreparedStatement prepared(String sql, @Nullable Object[] arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql.replace("%s", schema));
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }
}
