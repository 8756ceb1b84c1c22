// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reading the history of a feature with many days of it is planned in less than 5 ms. */
@ExtendWith(ServerExtension.class)
class HistoryPlanTest {

  private static final boolean SOAK = Boolean.getBoolean("soak");
  private static final int DAYS = SOAK ? 365 : 30;

  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

  @Test
  void onlyDaysInWhichAFeatureChangedArePlanned(PostgresServer server) throws SQLException {
    try (TestStorage storage = TestStorage.in(server)) {
      String foo = storage.create(CollectionOptions.none());
      for (int n = 1; n <= DAYS; n++) {
        fill(storage, foo, today.minusDays(n), n);
      }
      MaintenanceOutcome.Done done = (MaintenanceOutcome.Done) storage.features.maintain();
      assertThat(done.failed()).isEmpty();

      List<String> tables = tables(storage, foo, "few");
      assertThat(tables).hasSize(3 + DAYS / 10);
      assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "few")))
          .hasSize(DAYS / 10);
      assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "many"))).hasSize(DAYS);
      assertThat(tables(storage, foo, "none")).hasSize(3);
      if (SOAK) {
        measure(storage, foo);
      }
    }
  }

  /** Ten features change every day, and one every ten days. */
  private static void fill(TestStorage storage, String foo, LocalDate day, int n)
      throws SQLException {
    storage.psql.run(
        "SELECT naksha_history_partition('%s', '%s')".formatted(foo, day),
        ("INSERT INTO %1$s_hst (i, jsondata) SELECT nextval('%1$s_i_seq'), jsonb_build_object('id',"
                + " CASE f WHEN 0 THEN 'few' WHEN 1 THEN 'many' ELSE 'f' || f END, 'properties',"
                + " jsonb_build_object('@ns:com:here:xyz', jsonb_build_object('txn', %2$d,"
                + " 'txn_next', %3$d, 'uuid', f || ' %3$d'))) FROM generate_series(%4$d, 10) AS f")
            .formatted(
                foo,
                Txn.of(day.minusDays(1), 5).value(),
                Txn.of(day, 5).value(),
                n % 10 == 0 ? 0 : 1));
  }

  private static List<String> tables(TestStorage storage, String foo, String id)
      throws SQLException {
    return storage.psql.values(
        "SELECT naksha_history_tables('%s', ARRAY['%s'], 0)".formatted(foo, id));
  }

  private static void measure(TestStorage storage, String foo) throws SQLException {
    String own = "SELECT jsondata, geo, i FROM %s WHERE (jsondata->>'id') COLLATE \"C\" = '%s'";
    for (String id : List.of("none", "few")) {
      String ours =
          tables(storage, foo, id).stream()
              .map(table -> own.formatted(table, id))
              .collect(Collectors.joining(" UNION ALL "));
      String naive = own.formatted(foo + "_hst", id);
      for (int run = 0; run < 3; run++) {
        System.out.printf(
            "%s: tables %s | ours %s | whole history %s%n",
            id,
            explained(
                storage, "SELECT naksha_history_tables('%s', ARRAY['%s'], 0)".formatted(foo, id)),
            explained(storage, ours),
            explained(storage, naive));
      }
      assertThat(planning(explained(storage, ours))).isLessThan(5);
    }
  }

  private static String explained(TestStorage storage, String sql) throws SQLException {
    return storage.psql.values("EXPLAIN (ANALYZE, SUMMARY) " + sql).stream()
        .filter(line -> line.contains(" Time: "))
        .collect(Collectors.joining(", "));
  }

  private static double planning(String explained) {
    return Double.parseDouble(explained.replaceAll("Planning Time: ([0-9.]+) ms.*", "$1"));
  }
}
