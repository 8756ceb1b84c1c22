// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** How long the server has planned, by its own account: {@code pg_stat_statements}. */
final class PlanningTime implements AutoCloseable {

  /** What a server has to be started with. Planning is counted inside of functions, too. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "shared_preload_libraries", "pg_stat_statements",
          "pg_stat_statements.track", "all",
          "pg_stat_statements.track_planning", "on");

  private final Connection connection;

  PlanningTime(String url) throws SQLException {
    this.connection = DriverManager.getConnection(url);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    }
  }

  /** Begins to count anew. */
  void reset() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_statements_reset()");
    }
  }

  /** Microseconds of planning since then, by all. */
  double micros() throws SQLException {
    String sum = "SELECT sum(total_plan_time) * 1000 FROM pg_stat_statements";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sum)) {
      row.next();
      return row.getDouble(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
