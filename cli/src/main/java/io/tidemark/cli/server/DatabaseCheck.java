// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.features.db.JdbcUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Check that a PostgreSQL can be reached, has PostGIS and the right time. Changes nothing in it.
 */
final class DatabaseCheck {

  private static final int OLDEST = 150_000;

  private DatabaseCheck() {}

  static List<Diagnosis> of(JdbcUrl url) {
    try (Connection connection = DriverManager.getConnection(url.secret());
        Statement statement = connection.createStatement()) {
      return List.of(version(statement, url), postGis(statement), clock(statement));
    } catch (SQLException e) {
      return List.of(
          Diagnosis.failure(
              "PostgreSQL",
              url + ": " + e.getMessage(),
              "check the URL and the password, or start one with 'tidemark features up'"));
    }
  }

  private static Diagnosis version(Statement statement, JdbcUrl url) throws SQLException {
    int number = Integer.parseInt(one(statement, "SHOW server_version_num"));
    String detail = url + " is version " + one(statement, "SHOW server_version");
    return number >= OLDEST
        ? Diagnosis.ok("PostgreSQL", detail)
        : Diagnosis.failure("PostgreSQL", detail, "use version 15 or later");
  }

  private static Diagnosis postGis(Statement statement) throws SQLException {
    String version =
        one(
            statement,
            "SELECT coalesce(max(installed_version), max(default_version), '')"
                + " FROM pg_available_extensions WHERE name = 'postgis'");
    return version.isEmpty()
        ? Diagnosis.failure(
            "PostGIS",
            "isn't on the server",
            "install it there (Debian: postgresql-VERSION-postgis-3)")
        : Diagnosis.ok("PostGIS", "version " + version);
  }

  private static Diagnosis clock(Statement statement) throws SQLException {
    Instant before = Instant.now();
    long there =
        Long.parseLong(
            one(statement, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"));
    Instant middle = before.plus(Duration.between(before, Instant.now()).dividedBy(2));
    return Diagnosis.clock(
        "clock of PostgreSQL", Duration.between(middle, Instant.ofEpochMilli(there)));
  }

  private static String one(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
