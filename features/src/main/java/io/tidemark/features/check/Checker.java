// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.check;

import io.tidemark.features.db.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Looks at all states of a collection at one moment and follows each feature from its creation to
 * what it is now. Every state must have been made from another one, which was ended by the same
 * transaction; every state that was ended must have one that came after it; HEAD, the deletion
 * copies and the history must agree; and the log must know each transaction.
 *
 * <p>It reads everything several times, so it is for tests and for those who doubt. What was
 * dropped with old partitions is not missed. A collection whose history was off for a while has
 * gaps, and they are told.
 */
public final class Checker {

  private static final String STATES =
      """
      WITH states AS MATERIALIZED (
        SELECT place, i, jsondata->>'id' AS id, xyz->>'uuid' AS uuid, xyz->>'puuid' AS puuid,
          xyz->>'action' AS action, (xyz->>'txn')::bigint AS txn,
          (xyz->>'txn_next')::bigint AS txn_next, (xyz->>'version')::bigint AS version,
          jsondata #- '{properties,@ns:com:here:xyz,txn_next}' AS content, geo
        FROM (SELECT 'HEAD' AS place, * FROM @head@ UNION ALL SELECT 'history', * FROM @hst@
          UNION ALL SELECT 'deleted', * FROM @del@) AS rows,
          LATERAL (SELECT jsondata->'properties'->'@ns:com:here:xyz' AS xyz) AS namespace),
      kept AS (SELECT * FROM states s WHERE place <> 'deleted' OR NOT EXISTS (
        SELECT FROM states h WHERE h.place = 'history' AND h.i = s.i)),
      bounds AS (SELECT @since@::bigint AS history, (SELECT min(txn) FROM @tx@) AS log)
      """;

  /** Each problem, and the states that have it. */
  private static final Map<String, String> PROBLEMS =
      Map.of(
          "it is current, and also deleted or there twice",
          "SELECT s.id, s.uuid FROM states s WHERE place = 'HEAD' AND EXISTS (SELECT FROM states o"
              + " WHERE o.id = s.id AND (o.place = 'deleted' OR o.place = 'HEAD' AND o.i <> s.i))",
          "it is where states of that kind are not kept",
          "SELECT s.id, s.uuid FROM states s WHERE CASE place"
              + " WHEN 'HEAD' THEN txn_next <> 0 OR action NOT IN ('CREATE', 'UPDATE')"
              + " WHEN 'deleted' THEN txn_next <> 0 OR action <> 'DELETE'"
              + " ELSE txn_next = 0 OR action = 'DELETE' AND txn_next <> txn END IS NOT FALSE",
          "its uuid does not fit its row and its transaction, or others have it",
          "SELECT s.id, s.uuid FROM (SELECT *, count(*) OVER (PARTITION BY i) AS rows FROM kept) s"
              + " WHERE uuid IS DISTINCT FROM concat_ws(':', @storage@, @id@,"
              + " txn / 1000000000000000, txn / 10000000000000 % 100,"
              + " txn / 100000000000 % 100, i) OR rows <> 1",
          "it is the first of its feature, and yet has one before it or another version than 1",
          "SELECT s.id, s.uuid FROM kept s WHERE action = 'CREATE'"
              + " AND (version <> 1 OR puuid IS NOT NULL)",
          "the state it was made from is missing, or was not ended by it",
          "SELECT s.id, s.uuid FROM kept s, bounds WHERE action <> 'CREATE' AND txn >= history"
              + " AND NOT EXISTS (SELECT FROM kept p WHERE p.uuid = s.puuid AND p.id = s.id"
              + " AND p.txn_next = s.txn AND p.version + 1 = s.version AND p.action <> 'DELETE')",
          "it was replaced, and the state that came after it is missing or there are several",
          "SELECT s.id, s.uuid FROM kept s LEFT JOIN (SELECT puuid, id, txn, count(*) AS states"
              + " FROM kept GROUP BY puuid, id, txn) AS n ON n.puuid = s.uuid AND n.id = s.id"
              + " AND n.txn = s.txn_next WHERE s.place = 'history' AND s.action <> 'DELETE'"
              + " AND n.states IS DISTINCT FROM 1",
          "its deletion copy differs from what the history has",
          "SELECT s.id, s.uuid FROM states s, states h WHERE s.place = 'deleted'"
              + " AND h.place = 'history' AND h.i = s.i AND (h.content <> s.content"
              + " OR h.geo::bytea IS DISTINCT FROM s.geo::bytea OR h.txn_next <> s.txn)",
          "its feature was created more often than deleted, or deleted more often than created",
          "SELECT id, '' FROM kept, bounds GROUP BY id HAVING min(txn) >= max(history)"
              + " AND count(*) FILTER (WHERE action = 'CREATE') <> count(*) FILTER"
              + " (WHERE action = 'DELETE') + count(*) FILTER (WHERE place = 'HEAD')",
          "the log does not know its transaction",
          "SELECT s.id, s.uuid FROM kept s, bounds WHERE s.txn >= log AND NOT EXISTS (SELECT FROM"
              + " @tx@ t WHERE t.txn = s.txn AND t.action = 'MODIFY_FEATURES' AND t.id = @id@)");

  private final Database database;
  private final String schema;

  /**
   * Looks at a storage.
   *
   * @param schema where it is in the database, a plain name
   */
  public Checker(Database database, String schema) {
    this.database = database;
    this.schema = schema;
  }

  /**
   * Looks at a collection, also at a deleted one.
   *
   * @throws io.tidemark.features.CollectionNotFoundException if there is none
   */
  public Finding check(String collection) {
    return database.inTransaction(
        connection -> {
          connection.setReadOnly(true);
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          unbounded(connection);
          exists(connection, collection);
          List<Flaw> flaws = new ArrayList<>();
          for (Map.Entry<String, String> problem : PROBLEMS.entrySet()) {
            String sql = filled(STATES + problem.getValue() + " LIMIT 100", collection);
            flaws.addAll(flaws(connection, sql, problem.getKey()));
          }
          String count =
              "SELECT count(*) FILTER (WHERE place = 'HEAD'), count(DISTINCT i) FROM states";
          try (Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery(filled(STATES + count, collection))) {
            row.next();
            return new Finding(collection, row.getLong(1), row.getLong(2), flaws);
          }
        });
  }

  /** All of a large collection is looked at, and nobody waits for it. */
  private static void unbounded(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // Compiling these statements takes longer than most collections do.
      statement.execute("SET LOCAL statement_timeout = 0; SET LOCAL jit = off");
    }
  }

  private void exists(Connection connection, String collection) throws SQLException {
    String find = "SELECT %s.naksha_collection_find(?)".formatted(schema);
    try (PreparedStatement statement = connection.prepareStatement(find)) {
      statement.setString(1, collection);
      statement.executeQuery();
    }
  }

  private static List<Flaw> flaws(Connection connection, String sql, String problem)
      throws SQLException {
    List<Flaw> flaws = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        String uuid = rows.getString(2);
        flaws.add(new Flaw(rows.getString(1), uuid == null ? "" : uuid, problem));
      }
    }
    return flaws;
  }

  /** The collection exists, so its id has nothing in it that would have to be quoted. */
  private String filled(String sql, String collection) {
    String since =
        "(SELECT min(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''(\\d+)'))"
            + " FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid"
            + " WHERE inhparent = '@hst@'::regclass)";
    return sql.replace("@since@", since)
        .replace("@head@", table(collection))
        .replace("@hst@", table(collection + "_hst"))
        .replace("@del@", table(collection + "_del"))
        .replace("@tx@", schema + ".naksha_tx")
        .replace("@storage@", schema + ".naksha_storage_id()")
        .replace("@id@", "'" + collection + "'");
  }

  private String table(String name) {
    return schema + ".\"" + name + '"';
  }
}
