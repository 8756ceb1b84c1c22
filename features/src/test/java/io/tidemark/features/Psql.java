// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.geojson.GeoJson;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Somebody with {@code psql}: plain statements on a connection of its own. */
final class Psql implements AutoCloseable {

  /** For those who wait at the same time; the common pool may have a single thread. */
  static final Executor OWN_THREADS = task -> new Thread(task).start();

  private static final String XYZ = "jsondata->'properties'->'@ns:com:here:xyz'";

  private final Connection connection;

  private Psql(Connection connection) {
    this.connection = connection;
  }

  static Psql connect(String url) {
    try {
      return new Psql(DriverManager.getConnection(url));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Does each statement, in a transaction of its own unless one was begun. */
  Psql run(String... statements) throws SQLException {
    for (String sql : statements) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
    return this;
  }

  /** How many rows a statement has changed. */
  int change(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  /** One transaction in somebody's name; undone if a statement fails. */
  Psql as(String app, String author, String... statements) throws SQLException {
    run("BEGIN", "SELECT naksha_tx_start(%s, %s)".formatted(quoted(app), quoted(author)));
    try {
      run(statements);
    } catch (SQLException e) {
      run("ROLLBACK");
      throw e;
    }
    return run("COMMIT");
  }

  private static String quoted(String text) {
    return text.equals("null") ? "NULL" : "'" + text + "'";
  }

  /** Does a statement, and tells what it was warned of. */
  List<String> warnings(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      List<String> warnings = new ArrayList<>();
      for (SQLWarning warning = statement.getWarnings();
          warning != null;
          warning = warning.getNextWarning()) {
        warnings.add(warning.getMessage());
      }
      return warnings;
    }
  }

  String value(String sql) throws SQLException {
    return values(sql).get(0);
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(value(sql));
  }

  /** Returns when so many sessions of this database wait for locks of others. */
  void awaitWaiting(int sessions) throws SQLException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    String waiting =
        "SELECT count(DISTINCT l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
            + " WHERE NOT l.granted AND a.datname = current_database()"
            + " AND a.backend_type = 'client backend'";
    // Within a transaction, who is there is looked up once unless asked for anew.
    while (run("SELECT pg_stat_clear_snapshot()").number(waiting) < sessions) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("nobody waits");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** When the transaction that is under way began, as namespaces have it. */
  long began() throws SQLException {
    return number("SELECT (date_part('epoch', current_timestamp) * 1000)::bigint");
  }

  /** A moment of the server's, such as its {@code clock_timestamp()}. */
  Instant moment(String expression) throws SQLException {
    return Instant.parse(
        value(
            "SELECT to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                .formatted(expression)));
  }

  /** The first column. */
  List<String> values(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  /** The namespaces in a table, by row number. */
  List<JsonNode> xyz(String table) throws SQLException {
    List<JsonNode> found = new ArrayList<>();
    for (String json : values("SELECT %s FROM \"%s\" ORDER BY i".formatted(XYZ, table))) {
      found.add(GeoJson.object(json));
    }
    return found;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
