// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.maintain.CollectionStatistics;
import io.tidemark.features.maintain.MaintenanceReport;
import io.tidemark.features.maintain.MaintenanceStep;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.testkit.servers.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the maintainer notes of a collection: case F6. */
class CollectionStatisticsTest extends MaintenanceTestBase {

  CollectionStatisticsTest(PostgresServer server) {
    super(server);
  }

  @Test
  void f6FeaturesAreCountedByPlaceInPartsThatArentTooLarge() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned().optimalPartitioning());
    String mebibyte = "x".repeat((1 << 20) - 700);
    psql.as(
        "a",
        "b",
        ("INSERT INTO %s (jsondata, geo) SELECT jsonb_build_object('id', 'f' || n, 'properties',"
                + " jsonb_build_object('p', CASE n WHEN 1 THEN '%s' ELSE '' END)),"
                + " ST_Point(13.37, 52.52) FROM generate_series(1, 9) AS n")
            .formatted(foo, mebibyte));

    CollectionStatistics nine = maintained(foo).statistics();
    assertThat(nine).isNotNull();
    assertThat(nine.features()).isEqualTo(9);
    assertThat(nine.byteSize()).isBetween((1L << 20) - 700, 1L << 20);
    assertThat(nine.compressedSize()).isBetween(100L, 1L << 20);
    assertThat(nine.byQrid()).isEqualTo(Map.of("", 9L));

    // Ten in one place can't be divided, and one more is elsewhere.
    psql.as(
        "a",
        "b",
        ("INSERT INTO %s (jsondata, geo) VALUES ('{}', ST_Point(13.37, 52.52)),"
                + " ('{}', ST_Point(-70, -20))")
            .formatted(foo));
    CollectionStatistics eleven = maintained(foo).statistics();
    assertThat(eleven).isNotNull();
    assertThat(eleven.byQrid()).hasSize(2).containsValues(10L, 1L);
    assertThat(eleven.byQrid().keySet()).anyMatch(p -> p.length() == 31).contains("0");

    JsonNode meta =
        GeoJson.object(
            psql.value(
                "SELECT jsondata FROM %s_meta WHERE jsondata->>'id' = 'partitioning'"
                    .formatted(foo)));
    assertThat(meta.path("properties").path("by_qrid").path("0").asLong()).isEqualTo(1);
    CollectionInfo info = storage.features.transact(ALICE, tx -> tx.collections().info(foo));
    assertThat(info.estimatedFeatureCount()).hasValue(11);
    assertThat(info.byteSize()).hasValue(eleven.byteSize());
    assertThat(info.compressedSize()).hasValue(eleven.compressedSize());
    assertThat(psql.number("SELECT count(*) FROM naksha_tx WHERE action = 'MODIFY_COLLECTION'"))
        .isEqualTo(1);
  }

  /** Each is what PostgreSQL says of the rows: short JSON isn't compressed, and has a frame. */
  @Test
  void sizesAreThoseOfTheTextAndOfWhatIsStored() throws SQLException {
    String foo = storage.small();
    storage.put(foo, "{\"id\": \"a\"}");
    String sizes = "SELECT octet_length(jsondata::text) || ' ' || pg_column_size(jsondata) FROM ";

    CollectionStatistics small = maintained(foo).statistics();
    assertThat(small).isNotNull();
    assertThat(small.byteSize() + " " + small.compressedSize()).isEqualTo(psql.value(sizes + foo));
    assertThat(small.compressedSize()).isGreaterThan(small.byteSize());

    storage.put(
        foo, "{\"id\": \"b\", \"properties\": {\"p\": \"%s\"}}".formatted("x".repeat(9_999)));
    CollectionStatistics large = maintained(foo).statistics();
    assertThat(large).isNotNull();
    assertThat(large.byteSize()).isGreaterThan(9_999);
    assertThat(large.compressedSize()).isBetween(small.compressedSize(), 2_000L);
  }

  /** Parts of 10 MiB hold at least one feature, and many when nobody knows how large they are. */
  @Test
  void f6HoweverLargeFeaturesAreAPartHoldsSome() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned().optimalPartitioning());
    String most =
        "SELECT jsondata->'properties'->>'most' FROM %s_meta WHERE jsondata->>'id' = 'partitioning'"
            .formatted(foo);

    CollectionStatistics empty = maintained(foo).statistics();
    assertThat(empty).isNotNull();
    assertThat(empty.byteSize()).isZero();
    assertThat(empty.byQrid()).isEmpty();
    assertThat(psql.number(most)).as("of 1,024 bytes each").isEqualTo(10_240);

    psql.as(
        "a",
        "b",
        ("INSERT INTO %s (jsondata, geo) SELECT jsonb_build_object('id', 'f' || n, 'properties',"
                + " jsonb_build_object('p', repeat('x', CASE n WHEN 1 THEN 10 << 20 ELSE 0 END))),"
                + " ST_Point(5, 6) FROM generate_series(1, 2) AS n")
            .formatted(foo));
    CollectionStatistics large = maintained(foo).statistics();
    assertThat(large).isNotNull();
    assertThat(large.byteSize()).isGreaterThan(10 << 20);
    assertThat(large.byQrid()).isEqualTo(Map.of("1200021112001310021112001310021", 2L));
    assertThat(psql.number(most)).isEqualTo(1);
  }

  /** Whoever ends a load holds the collection, too, and then wants its tables. */
  @Test
  void whoeverWaitsToNoteWhatWasMeasuredHoldsNoTable() throws SQLException {
    String foo = storage.small();
    List<String> held = new ArrayList<>();
    try (Psql other = Psql.connect(storage.url)) {
      other.run("BEGIN", "SELECT naksha_lock('collection %s')".formatted(foo));
      while (held.isEmpty()) {
        CompletableFuture<MaintenanceReport> upkeep =
            CompletableFuture.supplyAsync(() -> maintained(foo));
        while (held.isEmpty() && !upkeep.isDone()) {
          held.addAll(
              psql.values(
                  ("SELECT (SELECT count(*) FROM pg_locks h WHERE h.pid = w.pid AND h.granted AND"
                          + " h.relation = '%s'::regclass) FROM pg_locks w WHERE NOT w.granted AND"
                          + " w.locktype = 'advisory'")
                      .formatted(foo)));
        }
        assertThat(upkeep.join().steps())
            .containsExactly(
                new MaintenanceStep(
                    MaintenanceStep.Kind.SKIPPED, foo, "others use it; it wasn't measured"));
        assertThat(upkeep.join().statistics()).isNull();
      }
    }
    assertThat(held).containsExactly("0");
    assertThat(maintained(foo).statistics()).isNotNull();
  }
}
