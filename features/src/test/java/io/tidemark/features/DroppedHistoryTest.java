// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.bulk.output.CollectionExportOptions.At;
import io.tidemark.features.bulk.output.CollectionExportOptions.OutputFormat;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.maintain.MaintenanceStep;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.read.HistoryGoneException;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** History that is too old is dropped, and who asks for it is told: cases F4 and F5. */
class DroppedHistoryTest extends MaintenanceTestBase {

  DroppedHistoryTest(PostgresServer server) {
    super(server);
  }

  @Test
  void f4F5OnlyHistoryThatIsTooOldIsDropped() throws SQLException {
    String kept = storage.small();
    String foo = storage.create(CollectionOptions.none().unpartitioned().maxAge(10));
    for (String each : List.of(kept, foo)) {
      storage.features.write(
          ALICE,
          each,
          List.of(
              Write.create(Feature.parse("{\"type\": \"Feature\", \"id\": \"a\"}")),
              Write.create(Feature.parse("{\"type\": \"Feature\", \"id\": \"b\"}"))));
      storage.features.write(ALICE, each, List.of(Write.delete("b")));
      replaced(each, "a", today.minusDays(11));
      replaced(each, "a", today.minusDays(10));
      replaced(each, "a", today.minusDays(400));
    }

    assertThat(maintained(foo).tables(MaintenanceStep.Kind.DROPPED))
        .containsExactly(table(foo, today.minusDays(400)), table(foo, today.minusDays(11)));

    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(foo))).isEqualTo(3);
    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(kept))).isEqualTo(5);
    for (String each : List.of(kept, foo)) {
      assertThat(psql.number("SELECT count(*) FROM " + each)).isEqualTo(1);
      assertThat(psql.number("SELECT count(*) FROM %s_del".formatted(each))).isEqualTo(1);
    }

    storage.features.transact(
        ALICE, tx -> tx.collections().update(foo, CollectionOptions.none().maxAge(0)));
    assertThat(maintained(foo).tables(MaintenanceStep.Kind.DROPPED))
        .containsExactly(table(foo, today.minusDays(10)));
    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(foo))).isEqualTo(2);
  }

  /**
   * What is kept begins with the first of a month: the number before that has no day of its own.
   */
  @Test
  void aVersionWhoseHistoryWasDroppedIsRefused(@TempDir Path directory) throws SQLException {
    LocalDate kept = today.minusDays(12).withDayOfMonth(1);
    CollectionOptions limited =
        CollectionOptions.none().unpartitioned().maxAge(ChronoUnit.DAYS.between(kept, today));
    String foo = storage.create(limited);
    String idle = storage.create(limited);
    replaced(foo, "a", kept.minusDays(1));
    replaced(foo, "a", kept.plusDays(8));
    psql.run("SELECT naksha_history_partition('%s', '%s')".formatted(idle, kept.minusDays(1)));
    Txn gone = Txn.of(kept.minusDays(1), 1);
    assertThat(at(foo, gone)).hasSize(1);

    assertThat(maintained(foo).tables(MaintenanceStep.Kind.DROPPED)).hasSize(1);

    assertThatThrownBy(() -> at(foo, gone))
        .isInstanceOf(HistoryGoneException.class)
        .hasMessageContaining("collection '%s' before %s", foo, kept)
        .hasMessageContaining("with transaction " + gone.value());
    FeatureQuery query = FeatureQuery.from(foo, idle).at(gone).build();
    assertThatThrownBy(() -> storage.features.read(r -> r.query(query)))
        .isInstanceOf(HistoryGoneException.class);
    assertThatThrownBy(() -> storage.features.read(r -> r.each(query, feature -> {})))
        .isInstanceOf(HistoryGoneException.class);
    assertThatThrownBy(() -> export(foo, gone, directory)).isInstanceOf(HistoryGoneException.class);
    // Before anything was done on the first day that is kept.
    Instant midnight = kept.atStartOfDay().toInstant(ZoneOffset.UTC);
    assertThat(storage.features.<List<Feature>>read(r -> r.byIdsAt(foo, List.of("a"), midnight)))
        .isEmpty();
    Txn before = Txn.of(kept.plusDays(7), 9);
    assertThat(at(foo, before)).hasSize(1);
    assertThat(export(foo, before, directory)).isEqualTo(1);
    // Nothing was lost with a day on which nothing was replaced.
    assertThat(at(idle, gone)).isEmpty();
    // What is made anew has a history of its own.
    storage.features.transact(
        ALICE,
        tx -> {
          tx.collections().delete(foo);
          tx.collections().purge(foo);
          return tx.collections().create(foo, limited);
        });
    assertThat(at(foo, gone)).isEmpty();
  }

  private List<Feature> at(String collection, Txn version) {
    return storage.features.read(r -> r.byIdsAt(collection, List.of("a"), version));
  }

  private long export(String collection, Txn version, Path directory) {
    return storage
        .features
        .bulk()
        .export(
            collection,
            CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ).with(new At.Version(version)))
        .to(directory.resolve("a.geojsonl"), rows -> {});
  }
}
