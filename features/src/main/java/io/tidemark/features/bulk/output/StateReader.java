// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import io.tidemark.features.bulk.output.CollectionExportOptions.At;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.log.LogRetention;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.read.HistoryRetention;
import java.util.List;
import java.util.function.Function;

/**
 * Reader of the states of a collection in one snapshot, a thousand at a time, in a transaction that
 * sees no concurrent writes.
 */
final class StateReader {

  private static final int AT_A_TIME = 1_000;
  private static final String XYZ = "jsondata->'properties'->'@ns:com:here:xyz'";

  private final SqlSession sqlSession;
  private final String from;

  private StateReader(SqlSession sqlSession, String from) {
    this.sqlSession = sqlSession;
    this.from = from;
  }

  /** Source of the features. */
  record Source(FeatureStorage storage, String collection, At at) {

    /** Runs work that reads the states. */
    <T> T read(Function<StateReader, T> work) {
      return storage.readSnapshot(
          sqlSession -> {
            sqlSession.withoutStatementTimeout("");
            return work.apply(new StateReader(sqlSession, from(sqlSession)));
          });
    }

    private String from(SqlSession sqlSession) {
      // Fails if there is none, with the words for it.
      CollectionInfo info =
          CollectionInfo.parse(
              sqlSession
                  .queryText("SELECT %s.naksha_collection_find(?)", collection)
                  .orElseThrow());
      String head = storage.place().table(collection);
      String steady = storage.place().unreplacedCondition(info);
      if (at instanceof At.Now) {
        return head + " WHERE " + steady;
      }
      long version =
          at instanceof At.Version chosen
              ? chosen.txn().value()
              : new LogRetention(sqlSession).lastUpTo(((At.Moment) at).instant());
      new HistoryRetention(sqlSession).lockVersion(collection, version);
      return ("(SELECT i, jsondata, geo FROM %1$s WHERE (%3$s->>'txn')::bigint <= %4$d AND %7$s UNION ALL"
              + " SELECT i, jsondata, geo FROM %2$s WHERE (%3$s->>'txn')::bigint <= %4$d"
              + " AND (%3$s->>'txn_next')::bigint > %4$d) AS states WHERE i <> ALL"
              + " ((SELECT %5$s.naksha_overtaken('%6$s', %4$d))::bigint[])")
          .formatted(
              head,
              storage.place().table(collection + "_hst"),
              XYZ,
              version,
              storage.place().schema(),
              collection,
              steady);
    }
  }

  /**
   * Hands out each; {@code @geo@} in its columns is the schema of PostGIS.
   *
   * @return how many there were
   */
  long each(List<String> columns, SqlSession.RowAction rowAction) {
    String postgis = sqlSession.queryText(SqlSession.POSTGIS).orElseThrow();
    List<String> wanted = columns.stream().map(c -> c.replace("@geo@", postgis)).toList();
    return sqlSession.each(AT_A_TIME, wanted, "SELECT * FROM " + from, rowAction);
  }
}
