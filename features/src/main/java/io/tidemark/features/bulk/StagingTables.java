// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.LoadSession.LoadStart;
import io.tidemark.features.bulk.LoadSession.Target;
import io.tidemark.features.db.CommitResolver;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tables that a load fills before any reader sees them. */
final class StagingTables {

  private static final Logger LOG = LoggerFactory.getLogger(StagingTables.class);

  private static final List<String> LEAVES =
      List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f");

  /**
   * A load may exceed the usual statement timeout, but the server cancels it when the client is
   * gone.
   */
  private static final String UNHURRIED = "SET LOCAL client_connection_check_interval = '5s';";

  /** Losing rows in a crash does no harm: the load, which is lost with its session, can't end. */
  private static final String UNSYNCED = UNHURRIED + " SET LOCAL synchronous_commit = off";

  /** Leaves are indexed at the same time, so that one needs no help. */
  private static final String ALONE = UNHURRIED + " SET LOCAL max_parallel_maintenance_workers = 0";

  /** A session that waits for a lock blocks other sessions, so each wait is short. */
  private static final String BRIEFLY = UNHURRIED + " SET LOCAL lock_timeout = '2s'";

  private static final long PATIENCE = Duration.ofMinutes(2).toNanos();

  private final FeatureStorage featureStorage;
  private final Target target;

  StagingTables(FeatureStorage featureStorage, Target target) {
    this.featureStorage = featureStorage;
    this.target = target;
  }

  private CollectionInfo info() {
    return target.info();
  }

  /** Returns the leaves; one without a name when HEAD is one table. */
  List<String> leaves() {
    return info().partitioned() ? LEAVES : List.of("");
  }

  private String table(String leaf) {
    return featureStorage.place().table(name(leaf));
  }

  private String name(String leaf) {
    return "naksha_load_" + info().id() + (leaf.isEmpty() ? "" : "." + leaf);
  }

  void create() {
    featureStorage.call(
        "SELECT %s.naksha_load_tables(?, ?, ?)",
        info().id(), info().partitioned(), info().pointsOnly());
  }

  /** Returns the statement that copies rows into a leaf. */
  String copyInto(String leaf) {
    return "COPY %s (i, geo, jsondata) FROM STDIN (FORMAT binary)".formatted(table(leaf));
  }

  /** Turns off synchronous commit, before rows are copied. */
  static void disableSynchronousCommit(SqlSession sqlSession) {
    sqlSession.withoutStatementTimeout(UNSYNCED);
  }

  /**
   * Builds the keys of a table.
   *
   * @param place locates a row in the input by its number
   * @return how many rows were dropped because a later one has the same id
   */
  long index(SqlSession sqlSession, String leaf, Duplicates duplicates, RowLocator place) {
    try {
      index(sqlSession, leaf);
      return 0;
    } catch (InvalidRequestException e) {
      if (!PostgresErrorTranslator.isDuplicate(e)) {
        throw e;
      }
    }
    if (duplicates == Duplicates.REFUSE) {
      throw duplicate(sqlSession, leaf, place);
    }
    long dropped = dropEarlier(sqlSession, leaf);
    index(sqlSession, leaf);
    return dropped;
  }

  /** Locator of a row in the input. */
  @FunctionalInterface
  interface RowLocator {
    String of(long firstRow, long secondRow);
  }

  private void index(SqlSession sqlSession, String leaf) {
    sqlSession.inTransaction(
        s -> {
          s.withoutStatementTimeout(info().partitioned() ? ALONE : UNHURRIED);
          s.call("SELECT %s.naksha_head_keys(?, ?)", name(leaf), info().pointsOnly());
          return true;
        });
  }

  private DuplicateIdException duplicate(SqlSession sqlSession, String leaf, RowLocator place) {
    String query =
        "SELECT id, i, next FROM (SELECT jsondata->>'id' AS id, i, lead(i) OVER (PARTITION BY"
            + " (jsondata->>'id') COLLATE \"C\" ORDER BY i) AS next FROM "
            + table(leaf)
            + ") AS pairs WHERE next IS NOT NULL ORDER BY i LIMIT 1";
    return sqlSession.inTransaction(
        s -> {
          s.withoutStatementTimeout(UNHURRIED);
          return s.queryOne(
              query,
              row ->
                  DuplicateIdException.of(
                      row.getString(1), place.of(row.getLong(2), row.getLong(3))));
        });
  }

  private long dropEarlier(SqlSession sqlSession, String leaf) {
    return sqlSession.inTransaction(
        s -> {
          s.withoutStatementTimeout(UNSYNCED);
          return s.change(
              ("DELETE FROM %1$s WHERE i IN (SELECT i FROM (SELECT i, lead(i) OVER (PARTITION BY"
                      + " (jsondata->>'id') COLLATE \"C\" ORDER BY i) AS next FROM %1$s) AS pairs"
                      + " WHERE next IS NOT NULL)")
                  .formatted(table(leaf)));
        });
  }

  /**
   * Swaps the tables for the collection's empty ones, which makes the load visible. The swap waits
   * for readers of the collection. If PostgreSQL rolls it back, because readers wait for the load
   * themselves, it is repeated.
   *
   * @param used the last row number that was used, 0 if none was
   */
  void attach(Actor actor, LoadStart loadStart, long used) {
    long begin = System.nanoTime();
    while (true) {
      try {
        attachOnce(actor, load(loadStart, used), loadStart.exactly());
        return;
      } catch (StorageUnavailableException e) {
        boolean mayWait =
            PostgresErrorTranslator.isLockTimeout(e) || PostgresErrorTranslator.isRetryable(e);
        if (!mayWait || System.nanoTime() - begin > PATIENCE) {
          throw e;
        }
        LOG.info("the loaded tables can't be attached yet, somebody uses the collection");
      }
    }
  }

  private String load(LoadStart loadStart, long used) {
    ObjectNode load = JsonNodeFactory.instance.objectNode();
    load.put("collection", info().id()).put("holder", loadStart.holder());
    load.put("txn", loadStart.txn().value()).put("began", loadStart.exactly());
    load.put("base", loadStart.base()).put("reserved", loadStart.reserved()).put("used", used);
    load.set("info", info().json());
    if (target instanceof Target.Absent absent) {
      load.set("options", GeoJson.object(absent.options().json()));
    }
    return load.toString();
  }

  private void attachOnce(Actor actor, String load, String began) {
    try (SqlSession sqlSession = featureStorage.session()) {
      sqlSession.withoutStatementTimeout(BRIEFLY);
      CommitResolver.TransactionStart transactionStart =
          sqlSession.queryOne(
              "SELECT pg_current_xact_id()::text, %s.naksha_tx_start(?, ?, ?)",
              row -> new CommitResolver.TransactionStart(row.getString(1), began),
              actor.appId(),
              actor.author(),
              actor.streamId());
      sqlSession.call("SELECT %s.naksha_load_finish(?::jsonb)", load);
      new CommitResolver(featureStorage, transactionStart).commit(sqlSession);
    } catch (TidemarkException e) {
      throw PostgresErrorTranslator.isDependencyLoss(e)
          ? new LoadRefusedException(String.valueOf(e.getMessage()))
          : e;
    }
  }

  /** Drops the tables of a failed load; a later cleanup finds those that can't be dropped now. */
  void drop() {
    try {
      featureStorage.call("SELECT %s.naksha_load_drop(?)", info().id());
    } catch (RuntimeException e) {
      LOG.warn(
          "the tables {}* of a failed load couldn't be dropped; the next load or the maintainer does",
          name(""),
          e);
    }
  }
}
