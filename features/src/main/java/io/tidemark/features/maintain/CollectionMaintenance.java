// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.objects.TidemarkException;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maintenance of a collection. HEAD and the deleted features are read, never changed. */
final class CollectionMaintenance {

  private static final int DAYS_AHEAD = 2;

  private final SqlSession sqlSession;
  private final JsonNode info;
  private final String id;
  private final String history;
  private final MaintainOptions options;
  private final MaintenanceSteps maintenanceSteps;

  /**
   * @param info the comment on the collection's table
   */
  CollectionMaintenance(SqlSession sqlSession, String info, MaintainOptions options) {
    this.sqlSession = sqlSession;
    this.info = GeoJson.object(info);
    this.id = this.info.path("id").asText();
    this.history = id + "_hst";
    this.options = options;
    this.maintenanceSteps = new MaintenanceSteps(sqlSession);
  }

  String id() {
    return id;
  }

  MaintenanceReport run() {
    @Nullable String failure = null;
    StatisticsCollector statisticsCollector = new StatisticsCollector(sqlSession, info);
    try {
      LocalDate today = Partition.today(sqlSession);
      createAhead(today);
      dropOld(today);
      PartitionMerger partitionMerger = new PartitionMerger(sqlSession, id, maintenanceSteps);
      partitionMerger.run(options.mergesMonths() ? partitionMerger.due(today) : Set.of());
      seal(today);
      boolean unused = maintenanceSteps.part("measured", id, statisticsCollector::run);
    } catch (TidemarkException e) {
      sqlSession.rollback();
      failure = e.getMessage();
    }
    return new MaintenanceReport(
        id, maintenanceSteps.done(), statisticsCollector.collectionStatistics, failure);
  }

  private void createAhead(LocalDate today) {
    Set<String> there =
        Partition.of(sqlSession, history).stream().map(Partition::name).collect(Collectors.toSet());
    for (int n = 0; n <= DAYS_AHEAD; n++) {
      LocalDate day = today.plusDays(n);
      String name = history + Partition.suffix(day);
      if (!there.contains(name)) {
        maintenanceSteps.step(
            MaintenanceStep.Kind.CREATED,
            name,
            () -> call("SELECT %s.naksha_history_partition(?, ?)::text", id, day));
      }
    }
  }

  /** A day may go when it is before today by more than the age that is kept. */
  private void dropOld(LocalDate today) {
    LocalDate oldest = today.minusDays(info.path("maxAge").asLong());
    for (Partition partition : Partition.of(sqlSession, history)) {
      if (partition.isBefore(oldest)) {
        maintenanceSteps.step(
            MaintenanceStep.Kind.DROPPED,
            partition.name(),
            () -> call("SELECT %s.naksha_history_drop(?, ?)::text", id, partition.part()));
      }
    }
  }

  private void seal(LocalDate today) {
    for (Partition partition : Partition.of(sqlSession, history)) {
      if (partition.isBefore(today) && !partition.sealed()) {
        maintenanceSteps.step(
            MaintenanceStep.Kind.SEALED,
            partition.name(),
            () -> call("SELECT %s.naksha_history_seal(?, ?)::text", id, partition.part()));
      }
    }
  }

  private String call(String sql, Object... arguments) {
    sqlSession.call(sql, arguments);
    return "";
  }

  /** Measures the contents of a collection, and stores the statistics beside it. */
  private static final class StatisticsCollector {

    private static final long A_PART = 10L << 20;
    private static final long MOST = 1_000_000;
    private static final long USUAL_SIZE = 1024;

    private final SqlSession sqlSession;
    private final JsonNode info;
    private @Nullable CollectionStatistics collectionStatistics;

    StatisticsCollector(SqlSession sqlSession, JsonNode info) {
      this.sqlSession = sqlSession;
      this.info = info;
    }

    void run() {
      String id = info.path("id").asText();
      String measured =
          sqlSession.queryTexts("SELECT %s.naksha_collection_measure(?)::text", id).get(0);
      // Holding the locks of the read while waiting for the lock of the collection would be out of
      // order: a load takes the collection first and then its tables.
      sqlSession.commit();
      sqlSession.queryTexts(
          "SELECT %s.naksha_collection_measured(?, ?::jsonb)::text", id, measured);
      sqlSession.commit();
      JsonNode json = GeoJson.object(measured);
      long byteSize = json.path("byteSize").asLong();
      collectionStatistics =
          new CollectionStatistics(
              json.path("estimatedFeatureCount").asLong(),
              byteSize,
              json.path("compressedSize").asLong(),
              info.path("optimalPartitioning").asBoolean() ? byQrid(id, byteSize) : Map.of());
    }

    private Map<String, Long> byQrid(String id, long byteSize) {
      long size = byteSize <= 0 ? USUAL_SIZE : byteSize;
      long most = Math.min(Math.max(A_PART / size, 1), MOST);
      String parts = sqlSession.queryTexts("SELECT %s.naksha_by_qrid(?, ?)::text", id, most).get(0);
      sqlSession.queryTexts(
          "SELECT %s.naksha_collection_meta(?, 'partitioning',"
              + " jsonb_build_object('by_qrid', ?::jsonb, 'most', ?::bigint))::text",
          id, parts, most);
      sqlSession.commit();
      Map<String, Long> byQrid = new TreeMap<>();
      for (Map.Entry<String, JsonNode> part : GeoJson.object(parts).properties()) {
        byQrid.put(part.getKey(), part.getValue().asLong());
      }
      return byQrid;
    }
  }
}
