// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.InvalidRequestException;
import io.tidemark.features.StorageUnusableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Installs what a storage needs, or upgrades it: SQL files in order, each once, all of them in one
 * transaction under a lock. So it may be done again, by several at once, and a failure leaves
 * nothing behind. A database that a newer release has upgraded is refused.
 *
 * <p>Files that are part of a release never change again; what is to be different comes in a new
 * one, at whose end the functions of existing collections are made anew.
 */
public final class Schema {

  private static final List<String> FILES =
      List.of(
          "001-transactions",
          "002-triggers",
          "003-collections",
          "004-queries",
          "005-sequencer",
          "006-history",
          "007-bulk");

  private static final int OLDEST_SERVER = 150_000;
  private static final Pattern STORAGE_ID = Pattern.compile("[a-z0-9_-]{1,64}");
  private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]*");

  private final String storageId;

  private Schema(String storageId) {
    this.storageId = storageId;
  }

  /**
   * The schema of a storage.
   *
   * @param storageId how GUIDs of its features begin; it has no colons
   */
  public static Schema of(String storageId) {
    if (!STORAGE_ID.matcher(storageId).matches()) {
      throw new InvalidRequestException(
          "'%s' can't be the id of a storage; take 1 to 64 of a-z, 0-9, _ and -"
              .formatted(storageId));
    }
    return new Schema(storageId);
  }

  /**
   * Installs or upgrades it in the schema the connection is in, if need be, and says which that is.
   * What is up to date needs only the right to read.
   */
  public String install(Connection connection) throws SQLException {
    String schema = query(connection, "SELECT coalesce(current_schema(), '')");
    if (!SCHEMA.matcher(schema).matches()) {
      throw new StorageUnusableException(
          "features can't be kept in the schema '%s'; connect with currentSchema=NAME, a plain name"
              .formatted(schema));
    }
    checkServer(connection);
    if (isThere(connection, schema) && version(connection, schema) == FILES.size()) {
      if (mayMakeTables(connection, schema)) {
        lock(connection, schema);
        execute(connection, "SELECT %s.naksha_partitions_ahead()".formatted(schema));
      }
      return schema;
    }
    lock(connection, schema);
    String extension = postgis(connection);
    int installed = installed(connection, schema);
    Map<String, String> names =
        Map.of("${schema}", schema, "${geo}", extension, "${storage}", storageId);
    for (int number = installed + 1; number <= FILES.size(); number++) {
      execute(connection, filled(FILES.get(number - 1), names));
      record(connection, schema, number);
    }
    execute(connection, "SELECT %s.naksha_partitions_ahead()".formatted(schema));
    return schema;
  }

  private static boolean isThere(Connection connection, String schema) throws SQLException {
    return query(connection, "SELECT to_regclass('%s.naksha_schema') IS NOT NULL".formatted(schema))
        .equals("t");
  }

  /** Whoever may not is a reader or a writer; the days to come are made by others. */
  private static boolean mayMakeTables(Connection connection, String schema) throws SQLException {
    return query(
            connection,
            ("SELECT pg_has_role(relowner, 'USAGE') AND has_schema_privilege('%1$s', 'CREATE')"
                    + " AND current_setting('transaction_read_only') = 'off' FROM pg_class"
                    + " WHERE oid = '%1$s.naksha_tx'::regclass")
                .formatted(schema))
        .equals("t");
  }

  private static void lock(Connection connection, String schema) throws SQLException {
    execute(connection, "SET LOCAL lock_timeout = '60s'");
    execute(
        connection,
        "SELECT pg_advisory_xact_lock(hashtext('tidemark features'), hashtext('%s'))"
            .formatted(schema));
  }

  private static void checkServer(Connection connection) throws SQLException {
    String version = query(connection, "SHOW server_version_num");
    if (Integer.parseInt(version) < OLDEST_SERVER) {
      throw new StorageUnusableException(
          "this server is PostgreSQL %s; features need 15 or later"
              .formatted(query(connection, "SHOW server_version")));
    }
  }

  /** The schema that PostGIS is in, which is installed if it isn't yet. */
  private static String postgis(Connection connection) throws SQLException {
    if (query(connection, "SELECT count(*) FROM pg_available_extensions WHERE name = 'postgis'")
        .equals("0")) {
      throw new StorageUnusableException(
          "this server has no PostGIS; install it (on Debian: apt-get install"
              + " postgresql-15-postgis-3)");
    }
    // Not in the schema of the storage that happens to be the first: others use it, too.
    String everybodys =
        query(
            connection,
            "SELECT coalesce(to_regnamespace('public')::text, quote_ident(current_schema()))");
    execute(connection, "CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA " + everybodys);
    return query(
        connection,
        "SELECT quote_ident(nspname) FROM pg_extension e JOIN pg_namespace n"
            + " ON n.oid = e.extnamespace WHERE extname = 'postgis'");
  }

  private int installed(Connection connection, String schema) throws SQLException {
    execute(
        connection,
        """
        CREATE TABLE IF NOT EXISTS %s.naksha_schema (
          version int PRIMARY KEY, name text NOT NULL, storage text NOT NULL,
          installed timestamptz NOT NULL DEFAULT current_timestamp)
        """
            .formatted(schema));
    return version(connection, schema);
  }

  /** The version that is there, if it is one of this storage. */
  private int version(Connection connection, String schema) throws SQLException {
    int version =
        Integer.parseInt(
            query(
                connection,
                "SELECT coalesce(max(version), 0) FROM %s.naksha_schema".formatted(schema)));
    String owner =
        query(
            connection,
            "SELECT coalesce(min(storage), '%s') FROM %s.naksha_schema"
                .formatted(storageId, schema));
    if (version > FILES.size()) {
      throw new StorageUnusableException(
          "the storage is of version %d, this release knows up to %d; use the release that upgraded it"
              .formatted(version, FILES.size()));
    }
    if (!owner.equals(storageId)) {
      throw new StorageUnusableException(
          "the schema %s holds the storage '%s', not '%s'; use that id or another schema"
              .formatted(schema, owner, storageId));
    }
    return version;
  }

  private void record(Connection connection, String schema, int number) throws SQLException {
    String sql =
        "INSERT INTO %s.naksha_schema (version, name, storage) VALUES (?, ?, ?)".formatted(schema);
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setInt(1, number);
      insert.setString(2, FILES.get(number - 1));
      insert.setString(3, storageId);
      insert.executeUpdate();
    }
  }

  private static String filled(String file, Map<String, String> names) {
    String resource = "/io/tidemark/features/schema/" + file + ".sql";
    try (InputStream in = Schema.class.getResourceAsStream(resource)) {
      String sql = new String(Objects.requireNonNull(in, resource).readAllBytes(), UTF_8);
      for (Map.Entry<String, String> name : names.entrySet()) {
        sql = sql.replace(name.getKey(), name.getValue());
      }
      return sql;
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + resource, e);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
