// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.db.Database;
import io.tidemark.features.db.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queries on a storage, in which {@code %s} is its schema.
 *
 * @param database its connections
 * @param schema where its tables are
 */
record Sql(Database database, String schema) {

  /** Turns a row into something. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** The rows of a query in a transaction of its own. */
  <T> List<T> rows(String query, Row<T> row, @Nullable Object... arguments) {
    return database.inTransaction(c -> rows(c, query, row, arguments));
  }

  /** The rows of a query on a connection. */
  <T> List<T> rows(Connection connection, String query, Row<T> row, @Nullable Object... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query.replace("%s", schema))) {
      for (int i = 0; i < arguments.length; i++) {
        Object argument = arguments[i];
        if (argument instanceof List<?> list) {
          statement.setArray(i + 1, connection.createArrayOf("text", list.toArray()));
        } else {
          statement.setObject(i + 1, argument);
        }
      }
      try (ResultSet found = statement.executeQuery()) {
        List<T> rows = new ArrayList<>();
        while (found.next()) {
          rows.add(row.read(found));
        }
        return rows;
      }
    }
  }

  /** The same, and what is refused is reported in our own exceptions. */
  <T> T with(Connection connection, Database.Work<T> work) {
    try {
      return work.on(connection);
    } catch (SQLException e) {
      throw Failures.of(e);
    }
  }

  /** A table, as SQL has it. */
  String table(String name) {
    return schema + ".\"" + name + '"';
  }
}
