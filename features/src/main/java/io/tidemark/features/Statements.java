// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.features.db.Database.Work;
import io.tidemark.features.db.Failures;
import io.tidemark.features.db.Session;
import io.tidemark.features.log.KeptLog;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statements of one transaction. What they refuse is reported in our own exceptions. */
final class Statements {

  /** How many rows of a long answer are held at a time. */
  private static final int FETCHED = 200;

  private final Connection connection;
  private final Features.Place place;

  Statements(Connection connection, Features.Place place) {
    this.connection = connection;
    this.place = place;
  }

  Features.Place place() {
    return place;
  }

  /** Turns a row into something. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** The last transaction that began by a moment, as the log has it. */
  long lastUpTo(Instant moment) {
    return with(c -> new KeptLog(new Session(c, place.schema())).lastUpTo(moment));
  }

  /** Does something with the connection. */
  <T> T with(Work<T> work) {
    try {
      return work.on(connection);
    } catch (SQLException e) {
      throw Failures.of(e);
    }
  }

  /**
   * The rows of a query.
   *
   * @param sql in which {@code %s} is the schema
   * @param arguments strings, numbers, lists of either, and nulls
   */
  <T> List<T> rows(String sql, Row<T> row, @Nullable Object... arguments) {
    return with(
        c -> {
          try (PreparedStatement query = prepared(c, sql, arguments);
              ResultSet found = query.executeQuery()) {
            List<T> rows = new ArrayList<>();
            while (found.next()) {
              rows.add(row.read(found));
            }
            return rows;
          }
        });
  }

  /** Does something with each row of a query, of which only a few at a time are held. */
  long each(String sql, Row<?> row, @Nullable Object... arguments) {
    return with(
        c -> {
          try (PreparedStatement query = prepared(c, sql, arguments)) {
            query.setFetchSize(FETCHED);
            long rows = 0;
            try (ResultSet found = query.executeQuery()) {
              for (; found.next(); rows++) {
                row.read(found);
              }
            }
            return rows;
          }
        });
  }

  /** How many rows a statement has changed. */
  int change(String sql, @Nullable Object... arguments) {
    return with(
        c -> {
          try (PreparedStatement statement = prepared(c, sql, arguments)) {
            return statement.executeUpdate();
          }
        });
  }

  /** Undoes all that was done since a savepoint, and gives back what was locked. */
  void undoTo(Savepoint before) {
    with(
        c -> {
          c.rollback(before);
          return true;
        });
  }

  /** The first column of every row. */
  List<String> texts(String sql, @Nullable Object... arguments) {
    return rows(sql, row -> row.getString(1), arguments);
  }

  /** The one value of a query; empty when it is null. */
  Optional<String> text(String sql, @Nullable Object... arguments) {
    return rows(sql, row -> Optional.ofNullable(row.getString(1)), arguments).get(0);
  }

  private PreparedStatement prepared(Connection c, String sql, @Nullable Object[] arguments)
      throws SQLException {
    PreparedStatement statement = c.prepareStatement(sql.replace("%s", place.schema()));
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      if (argument instanceof List<?> list) {
        statement.setArray(i + 1, array(c, list));
      } else {
        statement.setObject(i + 1, argument);
      }
    }
    return statement;
  }

  private static Array array(Connection c, List<?> list) throws SQLException {
    boolean numbers = !list.isEmpty() && list.get(0) instanceof Long;
    return c.createArrayOf(numbers ? "bigint" : "text", list.toArray());
  }
}
