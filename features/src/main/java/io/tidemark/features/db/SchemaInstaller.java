// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnusableException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Installer of a storage, which also upgrades it: runs SQL files in order, each once, all of them
 * in one transaction under a lock. So installation is idempotent, may run concurrently, and a
 * failure leaves no changes behind. A database that a newer release has upgraded is refused.
 *
 * <p>Released files never change again; a change comes in a new file, at whose end the functions of
 * existing collections are made anew. A storage records the checksums of the files it was made
 * with, and is refused when one of them differs here.
 */
public final class SchemaInstaller {

  private static final List<SchemaScript> FILES =
      Stream.of(
              "001-transactions",
              "002-triggers",
              "003-collections",
              "004-queries",
              "005-sequencer",
              "006-history",
              "007-bulk")
          .map(SchemaScript::read)
          .toList();

  private static final int OLDEST_SERVER = 150_000;
  private static final Pattern STORAGE_ID = Pattern.compile("[a-z0-9_-]{1,64}");
  private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]*");

  private final String storageId;

  private SchemaInstaller(String storageId) {
    this.storageId = storageId;
  }

  /**
   * Returns the installer of a storage.
   *
   * @param storageId how GUIDs of its features begin; it has no colons
   */
  public static SchemaInstaller of(String storageId) {
    if (!STORAGE_ID.matcher(storageId).matches()) {
      throw new InvalidRequestException(
          "'%s' can't be the id of a storage; take 1 to 64 of a-z, 0-9, _ and -"
              .formatted(storageId));
    }
    return new SchemaInstaller(storageId);
  }

  /**
   * Installs or upgrades the storage in the current schema of the connections, if necessary, and
   * returns its location. If it is up to date, the right to read suffices.
   */
  public SchemaLocation install(Database database) {
    try (SqlSession sqlSession =
        new SqlSession(database.connection(), new SchemaLocation("", storageId))) {
      String schema = sqlSession.queryText("SELECT current_schema()").orElse("");
      if (schema.isEmpty()) {
        throw new StorageUnusableException(
            "there is no schema to keep features in; create the one that currentSchema names, or"
                + " connect without it");
      }
      // Names that PostgreSQL wouldn't quote: not a keyword of SQL, such as user.
      if (!SCHEMA.matcher(schema).matches()
          || !sqlSession.queryBoolean("SELECT quote_ident(current_schema()) = current_schema()")) {
        throw new StorageUnusableException(
            ("features can't be kept in the schema '%s'; connect with currentSchema=NAME, a plain name"
                    + " that is no keyword of SQL")
                .formatted(schema));
      }
      SchemaLocation schemaLocation = new SchemaLocation(schema, storageId);
      return new SqlSession(sqlSession.connection(), schemaLocation).inTransaction(this::install);
    }
  }

  private SchemaLocation install(SqlSession sqlSession) {
    checkServer(sqlSession);
    if (isThere(sqlSession) && version(sqlSession) == FILES.size()) {
      if (mayMakeTables(sqlSession)) {
        lock(sqlSession);
        sqlSession.run("SELECT %s.naksha_partitions_ahead()");
      }
      return sqlSession.place();
    }
    lock(sqlSession);
    Map<String, String> names =
        Map.of(
            "${schema}",
            sqlSession.place().schema(),
            "${geo}",
            postgis(sqlSession),
            "${storage}",
            storageId);
    for (int number = installed(sqlSession) + 1; number <= FILES.size(); number++) {
      SchemaScript file = FILES.get(number - 1);
      sqlSession.script(file.render(names));
      sqlSession.change(
          "INSERT INTO %s.naksha_schema (version, name, storage, checksum) VALUES (?, ?, ?, ?)",
          number, file.name(), storageId, file.checksum());
    }
    sqlSession.run("SELECT %s.naksha_partitions_ahead()");
    return sqlSession.place();
  }

  private static boolean isThere(SqlSession sqlSession) {
    return sqlSession.queryBoolean("SELECT to_regclass('%s.naksha_schema') IS NOT NULL");
  }

  /**
   * A session without this right is a reader or a restricted writer; another session makes the
   * tables of the coming days.
   */
  private static boolean mayMakeTables(SqlSession sqlSession) {
    return sqlSession.queryBoolean(
        "SELECT pg_has_role(relowner, 'USAGE') AND has_schema_privilege('%s', 'CREATE')"
            + " AND current_setting('transaction_read_only') = 'off' FROM pg_class"
            + " WHERE oid = '%s.naksha_tx'::regclass");
  }

  private static void lock(SqlSession sqlSession) {
    sqlSession.run(
        "SET LOCAL lock_timeout = '60s';"
            + " SELECT pg_advisory_xact_lock(hashtext('tidemark features'), hashtext('%s'))");
  }

  private static void checkServer(SqlSession sqlSession) {
    if (serverVersion(sqlSession) < OLDEST_SERVER) {
      throw new StorageUnusableException(
          "this server is PostgreSQL %s; features need 15 or later"
              .formatted(sqlSession.queryText("SHOW server_version").orElseThrow()));
    }
  }

  private static long serverVersion(SqlSession sqlSession) {
    return sqlSession.queryLong("SELECT current_setting('server_version_num')::int");
  }

  /** Returns the schema that PostGIS is in, which is installed if it isn't yet. */
  private static String postgis(SqlSession sqlSession) {
    if (!sqlSession.queryBoolean(
        "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'postgis')")) {
      throw new StorageUnusableException(
          "this server has no PostGIS; install it (on Debian: apt-get install postgresql-%d-postgis-3)"
              .formatted(serverVersion(sqlSession) / 10_000));
    }
    // Not in the schema of the first storage: other storages use it, too.
    String everybodys =
        sqlSession
            .queryText(
                "SELECT coalesce(to_regnamespace('public')::text, quote_ident(current_schema()))")
            .orElseThrow();
    sqlSession.run("CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA " + everybodys);
    return sqlSession.queryText(SqlSession.POSTGIS).orElseThrow();
  }

  private int installed(SqlSession sqlSession) {
    sqlSession.run(
        """
        CREATE TABLE IF NOT EXISTS %s.naksha_schema (
          version int PRIMARY KEY, name text NOT NULL, storage text NOT NULL,
          installed timestamptz NOT NULL DEFAULT current_timestamp, checksum text NOT NULL)
        """);
    return version(sqlSession);
  }

  /**
   * A file that the storage was made with.
   *
   * @param checksum null when none was recorded
   */
  private record Installed(int version, String storage, @Nullable String checksum) {}

  /** Returns the version that is there, if it is one of this storage and of these files. */
  private int version(SqlSession sqlSession) {
    // As JSON, since there was a time without the last column.
    List<Installed> files =
        sqlSession.queryRows(
            "SELECT version, storage, to_jsonb(s)->>'checksum' FROM %s.naksha_schema s"
                + " ORDER BY version",
            row -> new Installed(row.getInt(1), row.getString(2), row.getString(3)));
    int version = files.isEmpty() ? 0 : files.get(files.size() - 1).version();
    if (version > FILES.size()) {
      throw new StorageUnusableException(
          "the storage is of version %d, this release knows up to %d; use the release that upgraded it"
              .formatted(version, FILES.size()));
    }
    for (Installed file : files) {
      if (!file.storage().equals(storageId)) {
        throw new StorageUnusableException(
            "the schema %s holds the storage '%s', not '%s'; use that id or another schema"
                .formatted(sqlSession.place().schema(), file.storage(), storageId));
      }
      check(file);
    }
    return version;
  }

  private static void check(Installed installed) {
    SchemaScript file = FILES.get(installed.version() - 1);
    if (!file.checksum().equals(installed.checksum())) {
      throw new StorageUnusableException(
          ("the storage was made with another %s.sql than that of this release, by a build that was"
                  + " changed or never released; go on with that build, or export its features with it"
                  + " and load them into a new storage, without their history")
              .formatted(file.name()));
    }
  }
}
