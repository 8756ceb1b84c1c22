// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.InvalidRequestException;
import io.tidemark.features.StorageUnusableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
   * Installs or upgrades it in the schema that connections are in, if need be, and says which that
   * is. What is up to date needs only the right to read.
   */
  public Place install(Database database) {
    try (Session session = new Session(database.take(), new Place("", storageId))) {
      String schema = session.text("SELECT current_schema()").orElse("");
      if (schema.isEmpty()) {
        throw new StorageUnusableException(
            "there is no schema to keep features in; create the one that currentSchema names, or"
                + " connect without it");
      }
      if (!SCHEMA.matcher(schema).matches()) {
        throw new StorageUnusableException(
            "features can't be kept in the schema '%s'; connect with currentSchema=NAME, a plain name"
                .formatted(schema));
      }
      Place place = new Place(schema, storageId);
      return new Session(session.connection(), place).committed(this::install);
    }
  }

  private Place install(Session session) {
    checkServer(session);
    if (isThere(session) && version(session) == FILES.size()) {
      if (mayMakeTables(session)) {
        lock(session);
        session.run("SELECT %s.naksha_partitions_ahead()");
      }
      return session.place();
    }
    lock(session);
    Map<String, String> names =
        Map.of(
            "${schema}",
            session.place().schema(),
            "${geo}",
            postgis(session),
            "${storage}",
            storageId);
    for (int number = installed(session) + 1; number <= FILES.size(); number++) {
      String file = FILES.get(number - 1);
      session.script(filled(file, names));
      session.change(
          "INSERT INTO %s.naksha_schema (version, name, storage) VALUES (?, ?, ?)",
          number, file, storageId);
    }
    session.run("SELECT %s.naksha_partitions_ahead()");
    return session.place();
  }

  private static boolean isThere(Session session) {
    return session.yes("SELECT to_regclass('%s.naksha_schema') IS NOT NULL");
  }

  /** Whoever may not is a reader or a writer; the days to come are made by others. */
  private static boolean mayMakeTables(Session session) {
    return session.yes(
        "SELECT pg_has_role(relowner, 'USAGE') AND has_schema_privilege('%s', 'CREATE')"
            + " AND current_setting('transaction_read_only') = 'off' FROM pg_class"
            + " WHERE oid = '%s.naksha_tx'::regclass");
  }

  private static void lock(Session session) {
    session.run(
        "SET LOCAL lock_timeout = '60s';"
            + " SELECT pg_advisory_xact_lock(hashtext('tidemark features'), hashtext('%s'))");
  }

  private static void checkServer(Session session) {
    if (session.number("SELECT current_setting('server_version_num')::int") < OLDEST_SERVER) {
      throw new StorageUnusableException(
          "this server is PostgreSQL %s; features need 15 or later"
              .formatted(session.text("SHOW server_version").orElseThrow()));
    }
  }

  /** The schema that PostGIS is in, which is installed if it isn't yet. */
  private static String postgis(Session session) {
    if (!session.yes(
        "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'postgis')")) {
      throw new StorageUnusableException(
          "this server has no PostGIS; install it (on Debian: apt-get install"
              + " postgresql-15-postgis-3)");
    }
    // Not in the schema of the storage that happens to be the first: others use it, too.
    String everybodys =
        session
            .text("SELECT coalesce(to_regnamespace('public')::text, quote_ident(current_schema()))")
            .orElseThrow();
    session.run("CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA " + everybodys);
    return session.text(Session.POSTGIS).orElseThrow();
  }

  private int installed(Session session) {
    session.run(
        """
        CREATE TABLE IF NOT EXISTS %s.naksha_schema (
          version int PRIMARY KEY, name text NOT NULL, storage text NOT NULL,
          installed timestamptz NOT NULL DEFAULT current_timestamp)
        """);
    return version(session);
  }

  /** The version that is there, if it is one of this storage. */
  private int version(Session session) {
    int version =
        Math.toIntExact(session.number("SELECT coalesce(max(version), 0) FROM %s.naksha_schema"));
    String owner = session.text("SELECT min(storage) FROM %s.naksha_schema").orElse(storageId);
    if (version > FILES.size()) {
      throw new StorageUnusableException(
          "the storage is of version %d, this release knows up to %d; use the release that upgraded it"
              .formatted(version, FILES.size()));
    }
    if (!owner.equals(storageId)) {
      throw new StorageUnusableException(
          "the schema %s holds the storage '%s', not '%s'; use that id or another schema"
              .formatted(session.place().schema(), owner, storageId));
    }
    return version;
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
}
