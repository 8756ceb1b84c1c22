// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.maintain.MaintenanceReport;
import io.tidemark.features.maintain.MaintenanceStep;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Days that are over are sealed and merged to months, and all their states are found. */
class SealedHistoryTest extends MaintenanceTestBase {

  SealedHistoryTest(PostgresServer server) {
    super(server);
  }

  @Test
  void daysAreMergedToMonthsWithoutLosingAState() throws SQLException {
    String foo = storage.small();
    LocalDate first = today.minusDays(120).withDayOfMonth(1);
    for (int n = 0; n < 40; n += 5) {
      replaced(foo, "f" + n % 10, first.plusDays(n));
    }
    List<String> before =
        psql.values("SELECT jsondata::text FROM %s_hst ORDER BY i".formatted(foo));
    assertThat(maintained(foo).tables(MaintenanceStep.Kind.SEALED)).hasSize(8);

    MaintenanceReport done = maintained(foo, MaintainOptions.defaults().mergingMonths());

    assertThat(done.tables(MaintenanceStep.Kind.MERGED)).hasSize(2);
    assertThat(psql.values("SELECT jsondata::text FROM %s_hst ORDER BY i".formatted(foo)))
        .isEqualTo(before);
    List<Feature> versions = storage.features.read(r -> r.versions(foo, "f5"));
    assertThat(versions).hasSize(4);
    assertThat(
            storage.features.<List<Feature>>read(
                r -> r.byIdsAt(foo, List.of("f5"), Txn.of(first.plusDays(4), 9))))
        .hasSize(1);
    assertThat(maintained(foo, MaintainOptions.defaults().mergingMonths()).steps()).isEmpty();
    // What comes late goes into the month, and is found.
    psql.run("SELECT naksha_history_partition('%s', '%s')".formatted(foo, first.plusDays(1)));
    replaced(foo, "f5", first.plusDays(1));
    assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "f5"))).hasSize(5);
    storage.features.transact(ALICE, tx -> tx.collections().purge(foo));
    assertThat(psql.values("SELECT relname FROM pg_class WHERE relname LIKE '%s%%'".formatted(foo)))
        .isEmpty();
  }

  @Test
  void aMergeThatFailsLosesNothing() throws SQLException {
    String foo = storage.small();
    LocalDate first = today.minusDays(120).withDayOfMonth(1);
    replaced(foo, "a", first);
    replaced(foo, "b", first.plusDays(1));
    // The same number in two days, which one table can't hold.
    psql.run("UPDATE %s_hst SET i = 1".formatted(foo));

    MaintenanceOutcome.Done done =
        (MaintenanceOutcome.Done)
            storage.features.maintain(MaintainOptions.defaults().mergingMonths());

    assertThat(done.failed()).extracting(MaintenanceReport::name).containsExactly(foo);
    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(foo))).isEqualTo(2);
    assertThat(psql.value("SELECT to_regclass('%s')".formatted(table(foo, first)))).isNotNull();
  }

  @Test
  void aReaderOfAnOlderMomentThanAMergeIsToldToBeginAnew() throws SQLException {
    String foo = storage.small();
    replaced(foo, "a", today.minusDays(120));
    try (Psql reader = Psql.connect(storage.url)) {
      reader.run("BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT count(*) FROM pg_class");
      assertThat(
              maintained(foo, MaintainOptions.defaults().mergingMonths())
                  .tables(MaintenanceStep.Kind.MERGED))
          .hasSize(1);

      assertThatThrownBy(
              () -> reader.run("SELECT naksha_history_tables('%s', '{a}', 0)".formatted(foo)))
          .hasMessageContaining("was rearranged meanwhile");
      reader.run("ROLLBACK", "SELECT naksha_history_tables('%s', '{a}', 0)".formatted(foo));
    }
  }

  @Test
  void whateverIsSealedMergedOrLateAllStatesAreFound() throws SQLException {
    RandomGenerator random = Seed.of("history").random();
    String foo = storage.small();
    for (int step = 0; step < (Boolean.getBoolean("soak") ? 200 : 12); step++) {
      for (int n = 0; n < 5; n++) {
        replaced(foo, "f" + random.nextInt(6), today.minusDays(random.nextInt(100)), step * 5 + n);
      }
      switch (random.nextInt(4)) {
        case 0 -> maintained(foo, MaintainOptions.defaults().mergingMonths());
        case 1 -> maintained(foo);
        case 2 ->
            storage.features.transact(
                ALICE,
                tx ->
                    tx.collections()
                        .update(foo, CollectionOptions.none().maxAge(60 + random.nextInt(60))));
        default -> psql.run("ANALYZE");
      }
      for (int f = 0; f < 6; f++) {
        String id = "f" + f;
        List<Feature> found = storage.features.read(r -> r.versions(foo, id));
        assertThat(found.stream().map(each -> each.xyz().orElseThrow().uuid().orElseThrow()))
            .containsExactlyInAnyOrderElementsOf(
                psql.values(
                    ("SELECT jsondata->'properties'->'@ns:com:here:xyz'->>'uuid' FROM %s_hst"
                            + " WHERE jsondata->>'id' = '%s'")
                        .formatted(foo, id)));
      }
    }
  }

  @Test
  void aStateThatComesIntoASealedDayIsFound() throws SQLException {
    String foo = storage.small();
    replaced(foo, "a", today.minusDays(3));
    assertThat(maintained(foo).tables(MaintenanceStep.Kind.SEALED))
        .containsExactly(table(foo, today.minusDays(3)));
    assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "b"))).isEmpty();

    replaced(foo, "b", today.minusDays(3));

    assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "b"))).hasSize(1);
    assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "a"))).hasSize(1);
    assertThat(maintained(foo).steps()).isEmpty();
  }
}
