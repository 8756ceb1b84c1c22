// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.Actor;
import io.tidemark.features.CollectionInfo;
import io.tidemark.features.LostCommit;
import io.tidemark.features.StorageUnavailableException;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.LoadSession.Beginning;
import io.tidemark.features.bulk.LoadSession.Target;
import io.tidemark.features.db.Failures;
import io.tidemark.features.geojson.GeoJson;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables that a load fills before anybody sees them. */
final class Staging {

  private static final Logger LOG = LoggerFactory.getLogger(Staging.class);

  private static final List<String> LEAVES =
      List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f");

  /** A load may take longer than a statement usually may; but not longer than who waits for it. */
  private static final String UNHURRIED =
      "SET LOCAL statement_timeout = 0; SET LOCAL client_connection_check_interval = '5s';";

  /** Losing rows in a crash does no harm: the load, which is lost with its session, can't end. */
  private static final String UNSYNCED = UNHURRIED + " SET LOCAL synchronous_commit = off";

  /** Leaves are indexed at the same time, so that one needs no help. */
  private static final String ALONE = UNHURRIED + " SET LOCAL max_parallel_maintenance_workers = 0";

  /** Who waits for a lock keeps others waiting, so it isn't waited for long at a time. */
  private static final String BRIEFLY = UNHURRIED + " SET LOCAL lock_timeout = '2s'";

  private static final long PATIENCE = Duration.ofMinutes(2).toNanos();

  private final Sql sql;
  private final Target target;

  Staging(Sql sql, Target target) {
    this.sql = sql;
    this.target = target;
  }

  private CollectionInfo info() {
    return target.info();
  }

  /** The leaves; one without a name when HEAD is one table. */
  List<String> leaves() {
    return info().partitioned() ? LEAVES : List.of("");
  }

  private String name(String leaf) {
    return "naksha_load_" + info().id() + (leaf.isEmpty() ? "" : "." + leaf);
  }

  void create() {
    sql.rows(
        "SELECT %s.naksha_load_tables(?, ?, ?)",
        row -> true, info().id(), info().partitioned(), info().pointsOnly());
  }

  /** How to put rows into one. */
  String copyInto(String leaf) {
    return "COPY %s (i, geo, jsondata) FROM STDIN (FORMAT binary)".formatted(sql.table(name(leaf)));
  }

  /** To be done before rows are put in. */
  static void unsynced(Connection connection) throws SQLException {
    run(connection, UNSYNCED);
  }

  /**
   * Builds the keys of a table.
   *
   * @param place says where in the input a row is, by its number
   * @return how many rows were dropped because a later one has the same id
   */
  long index(Connection connection, String leaf, Duplicates duplicates, Places place)
      throws SQLException {
    try {
      index(connection, leaf);
      return 0;
    } catch (SQLException e) {
      connection.rollback();
      if (!"23505".equals(e.getSQLState())) {
        throw e;
      }
    }
    if (duplicates == Duplicates.REFUSE) {
      throw duplicate(connection, leaf, place);
    }
    long dropped = dropEarlier(connection, leaf);
    index(connection, leaf);
    return dropped;
  }

  /** Where in the input a row is. */
  @FunctionalInterface
  interface Places {
    String of(long firstRow, long secondRow);
  }

  private void index(Connection connection, String leaf) throws SQLException {
    run(connection, info().partitioned() ? ALONE : UNHURRIED);
    sql.rows(
        connection,
        "SELECT %s.naksha_head_keys(?, ?)",
        row -> true,
        name(leaf),
        info().pointsOnly());
    connection.commit();
  }

  private DuplicateIdException duplicate(Connection connection, String leaf, Places place)
      throws SQLException {
    String query =
        "SELECT id, i, next FROM (SELECT jsondata->>'id' AS id, i, lead(i) OVER (PARTITION BY"
            + " (jsondata->>'id') COLLATE \"C\" ORDER BY i) AS next FROM "
            + sql.table(name(leaf))
            + ") AS pairs WHERE next IS NOT NULL ORDER BY i LIMIT 1";
    run(connection, UNHURRIED);
    DuplicateIdException found =
        sql.rows(
                connection,
                query,
                row ->
                    new DuplicateIdException(
                        "the id '%s' is there twice, in %s; nothing was loaded, correct it or let the"
                                .formatted(
                                    row.getString(1), place.of(row.getLong(2), row.getLong(3)))
                            + " last one win"))
            .get(0);
    connection.rollback();
    return found;
  }

  private long dropEarlier(Connection connection, String leaf) throws SQLException {
    run(connection, UNSYNCED);
    String table = sql.table(name(leaf));
    try (Statement statement = connection.createStatement()) {
      int dropped =
          statement.executeUpdate(
              ("DELETE FROM %1$s WHERE i IN (SELECT i FROM (SELECT i, lead(i) OVER (PARTITION BY"
                      + " (jsondata->>'id') COLLATE \"C\" ORDER BY i) AS next FROM %1$s) AS pairs"
                      + " WHERE next IS NOT NULL)")
                  .formatted(table));
      connection.commit();
      return dropped;
    }
  }

  /**
   * Puts the tables in the place of the collection's empty ones: the moment at which the load is
   * there. Readers of the collection are waited for.
   *
   * @param used the last row number that was used, 0 if none was
   */
  void attach(Actor actor, Beginning beginning, long used) {
    long begin = System.nanoTime();
    while (true) {
      try {
        attachOnce(actor, load(beginning, used), beginning.exactly());
        return;
      } catch (StorageUnavailableException e) {
        boolean waited =
            e.getCause() instanceof SQLException cause && "55P03".equals(cause.getSQLState());
        if (!waited || System.nanoTime() - begin > PATIENCE) {
          throw e;
        }
        LOG.info("the loaded tables can't be attached yet, somebody reads the collection");
      }
    }
  }

  private String load(Beginning beginning, long used) {
    ObjectNode load = JsonNodeFactory.instance.objectNode();
    load.put("collection", info().id()).put("holder", beginning.holder());
    load.put("txn", beginning.txn().value()).put("began", beginning.exactly());
    load.put("reserved", beginning.reserved()).put("used", used);
    load.set("info", info().json());
    if (target instanceof Target.Absent absent) {
      load.set("options", GeoJson.object(absent.options().json()));
    }
    return load.toString();
  }

  private void attachOnce(Actor actor, String load, String began) {
    try (Connection connection = sql.database().take()) {
      LostCommit.Begin begin;
      try {
        run(connection, BRIEFLY);
        begin =
            sql.rows(
                    connection,
                    "SELECT pg_current_xact_id()::text, %s.naksha_tx_start(?, ?, ?)",
                    row -> new LostCommit.Begin(row.getString(1), began),
                    actor.appId(),
                    actor.author(),
                    actor.streamId())
                .get(0);
        sql.rows(connection, "SELECT %s.naksha_load_finish(?::jsonb)", row -> true, load);
      } catch (SQLException e) {
        connection.rollback();
        throw Failures.of(e);
      }
      commit(connection, begin);
    } catch (SQLException e) {
      throw Failures.of(e);
    }
  }

  private void commit(Connection connection, LostCommit.Begin begin) {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (!Failures.connectionLost(e)) {
        throw Failures.of(e);
      }
      if (!new LostCommit(sql.database(), sql.schema(), begin).hasHappened(e)) {
        throw new StorageUnavailableException(
            "the connection broke during the commit, which didn't take place; load it again", e);
      }
      LOG.warn(
          "the connection broke during the commit of a load, which took place all the same", e);
    }
  }

  /** Drops the tables of a load that has failed; what can't be dropped now is found later. */
  void drop() {
    try {
      sql.rows("SELECT %s.naksha_load_drop(?)", row -> true, info().id());
    } catch (RuntimeException e) {
      LOG.warn(
          "the tables {}* of a failed load couldn't be dropped; the next load or the maintainer does",
          name(""),
          e);
    }
  }

  private static void run(Connection connection, String statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(statements);
    }
  }
}
