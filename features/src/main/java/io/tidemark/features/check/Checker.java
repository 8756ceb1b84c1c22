// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.check;

import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Consistency check of all states of a collection in one snapshot. It follows each feature from its
 * creation to its current state. Every state must be derived from another one that the same
 * transaction ended. Every ended state must have a successor. HEAD, the deletion copies and the
 * history must agree, and the log must know each transaction.
 *
 * <p>The check reads all tables several times, so it is meant for tests and for diagnosis. States
 * that were dropped with old partitions aren't reported as missing. A collection whose history was
 * off for a while has gaps, and they are reported.
 */
public final class Checker {

  private static final String STATES =
      """
      WITH states AS MATERIALIZED (
        SELECT place, i, jsondata->>'id' AS id, xyz->>'uuid' AS uuid, xyz->>'puuid' AS puuid,
          xyz->>'action' AS action, (xyz->>'txn')::bigint AS txn,
          (xyz->>'txn_next')::bigint AS txn_next, CASE jsonb_typeof(xyz->'version')
            WHEN 'number' THEN (xyz->>'version')::numeric END AS version,
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

  private final FeatureStorage featureStorage;

  /** Looks at a storage. */
  public Checker(FeatureStorage featureStorage) {
    this.featureStorage = featureStorage;
  }

  /**
   * Looks at a collection, also at a deleted one.
   *
   * @throws io.tidemark.features.model.CollectionNotFoundException if there is none
   */
  public CheckReport check(String collection) {
    return featureStorage.readSnapshot(
        sqlSession -> {
          // The check reads all of a large collection, and no client waits for it. Compiling these
          // statements takes longer than most collections need.
          sqlSession.withoutStatementTimeout("SET LOCAL jit = off");
          sqlSession.call("SELECT %s.naksha_collection_find(?)", collection);
          List<Flaw> flaws = new ArrayList<>();
          PROBLEMS.forEach(
              (problem, states) -> flaws.addAll(flaws(sqlSession, collection, problem, states)));
          return sqlSession.queryOne(
              filled(
                  STATES
                      + "SELECT count(*) FILTER (WHERE place = 'HEAD'), count(DISTINCT i)"
                      + " FROM states",
                  collection),
              row -> new CheckReport(collection, row.getLong(1), row.getLong(2), flaws));
        });
  }

  private List<Flaw> flaws(
      SqlSession sqlSession, String collection, String problem, String states) {
    return sqlSession.queryRows(
        filled(STATES + states + " LIMIT 100", collection),
        row -> {
          String uuid = row.getString(2);
          return new Flaw(row.getString(1), uuid == null ? "" : uuid, problem);
        });
  }

  /** The collection exists, so its id has nothing in it that would have to be quoted. */
  private String filled(String sql, String collection) {
    String since =
        "(SELECT min(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''(\\d+)'))"
            + " FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid"
            + " WHERE inhparent = '@hst@'::regclass)";
    return sql.replace("@since@", since)
        .replace("@head@", featureStorage.place().table(collection))
        .replace("@hst@", featureStorage.place().table(collection + "_hst"))
        .replace("@del@", featureStorage.place().table(collection + "_del"))
        .replace("@tx@", "%s.naksha_tx")
        .replace("@storage@", "%s.naksha_storage_id()")
        .replace("@id@", "'" + collection + "'");
  }
}
