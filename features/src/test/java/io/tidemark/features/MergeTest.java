// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.maintain.MaintenanceReport;
import io.tidemark.features.maintain.MaintenanceStep;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Days that become months while others write there, and maintainers that are killed; decision 5.
 */
@ExtendWith(ServerExtension.class)
class MergeTest {

  private static final MaintainOptions MERGING = MaintainOptions.defaults().mergingMonths();

  private final LocalDate first = LocalDate.now(ZoneOffset.UTC).minusDays(120).withDayOfMonth(1);
  private final String month = first.toString().substring(0, 7).replace('-', '_');
  private TestStorage storage;
  private Psql psql;
  private String foo;

  @BeforeEach
  void open(PostgresServer server) throws SQLException {
    storage = TestStorage.in(server);
    psql = storage.psql;
    foo = storage.small();
    for (int day = 0; day < 3; day++) {
      for (int n = 0; n < 4; n++) {
        late(psql, 10 * day + n, day);
      }
    }
  }

  @AfterEach
  void close() {
    storage.close();
  }

  /** Puts a state into the history that was replaced on a day of the month. */
  private void late(Psql writer, int i, int day) throws SQLException {
    writer.run(
        "SELECT naksha_history_partition('%s', '%s')".formatted(foo, first.plusDays(day)),
        ("INSERT INTO %s_hst (i, jsondata) VALUES (%d, '{\"id\": \"f%d\", \"properties\":"
                + " {\"@ns:com:here:xyz\": {\"txn\": %d, \"txn_next\": %d}}}')")
            .formatted(
                foo,
                i,
                i % 5,
                Txn.of(first, 0).value() - 1,
                Txn.of(first.plusDays(day), i).value()));
  }

  private MaintenanceReport maintained(MaintainOptions options) {
    MaintenanceOutcome.Done done = (MaintenanceOutcome.Done) storage.features.maintain(options);
    assertThat(done.failed()).isEmpty();
    return done.of(foo).orElseThrow();
  }

  private String merge(String part) throws SQLException {
    return psql.value("SELECT naksha_merge_%s('%s', '%s')::text".formatted(part, foo, month));
  }

  private Set<Integer> rows(String table) throws SQLException {
    return psql.values("SELECT i FROM " + table).stream()
        .map(Integer::valueOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What reading finds, which asks only tables in which ids are noted. */
  private Set<Integer> found() {
    Set<Integer> found = new TreeSet<>();
    for (int n = 0; n < 5; n++) {
      String id = "f" + n;
      List<Feature> states = storage.features.read(r -> r.versions(foo, id));
      for (Feature state : states) {
        long next = state.data().path("properties").path(Feature.XYZ).path("txn_next").longValue();
        found.add((int) new Txn(next).sequence());
      }
    }
    return found;
  }

  private void requireMerged(Set<Integer> rows) throws SQLException {
    assertThat(rows(foo + "_hst_" + month)).isEqualTo(rows);
    assertThat(rows(foo + "_hst")).isEqualTo(rows);
    assertThat(found()).isEqualTo(rows);
    assertThat(psql.values("SELECT part FROM %s_hst_ids WHERE part <> '%s'".formatted(foo, month)))
        .isEmpty();
    requireNothingLeft();
  }

  private void requireNothingLeft() throws SQLException {
    assertThat(
            psql.values(
                "SELECT relname FROM pg_class WHERE relname LIKE 'naksha\\_merge\\_%.%'"
                    + " UNION ALL SELECT tgname FROM pg_trigger WHERE tgname = 'naksha_merge'"
                    + " UNION ALL SELECT i::text FROM naksha_merge_changes"))
        .isEmpty();
  }

  @Test
  void whatIsChangedWhileRowsAreCopiedIsThereAfterwards() throws SQLException {
    maintained(MaintainOptions.defaults());
    Set<Integer> rows = rows(foo + "_hst");
    merge("begin");
    late(psql, 100, 1);
    assertThat(merge("copy")).isEqualTo("13");
    late(psql, 101, 2);
    late(psql, 102, 20); // of a day that nobody had written to before
    psql.run(
        "DELETE FROM %s_hst WHERE i = 1".formatted(foo),
        "UPDATE %s_hst SET i = 103 WHERE i = 2".formatted(foo));
    String copy =
        psql.value("SELECT '\"naksha_merge_%s.%s\"'::regclass::oid".formatted(foo, month));
    rows.removeAll(Set.of(1, 2));
    rows.addAll(Set.of(100, 101, 102, 103));

    // As after a kill: the last step is all that is left to do.
    MaintenanceReport done = maintained(MERGING);

    assertThat(done.steps())
        .containsExactly(
            new MaintenanceStep(MaintenanceStep.Kind.MERGED, foo + "_hst_" + month, "14 states"));
    assertThat(psql.value("SELECT '%s_hst_%s'::regclass::oid".formatted(foo, month)))
        .as("what was copied is used")
        .isEqualTo(copy);
    assertThat(rows(foo + "_hst_" + month)).isEqualTo(rows);
    late(psql, 104, 1);
    rows.add(104);
    assertThat(rows(foo + "_hst_" + month)).isEqualTo(rows);
  }

  @Test
  void aMergeThatWasKilledBeforeRowsWereCopiedGoesOn() throws SQLException {
    merge("begin");
    late(psql, 100, 1);
    Set<Integer> rows = rows(foo + "_hst");

    assertThat(maintained(MERGING).tables(MaintenanceStep.Kind.MERGED)).hasSize(1);

    requireMerged(rows);
  }

  @Test
  void aMergeWhoseDaysHaveGoneSinceIsDoneAnew() throws SQLException {
    merge("begin");
    merge("copy");
    psql.run("SELECT naksha_history_drop('%s', '%s_01')".formatted(foo, month));
    late(psql, 100, 0);
    Set<Integer> rows = rows(foo + "_hst");

    assertThat(maintained(MERGING).tables(MaintenanceStep.Kind.MERGED)).hasSize(1);

    assertThat(rows).hasSize(9);
    requireMerged(rows);
  }

  @Test
  void aMergeThatWasKilledIsUndoneIfNobodyWantsItAnyMore() throws SQLException {
    Set<Integer> rows = rows(foo + "_hst");
    for (List<String> parts : List.of(List.of("begin"), List.of("begin", "copy"))) {
      for (String part : parts) {
        merge(part);
      }
      maintained(MaintainOptions.defaults());

      requireNothingLeft();
      assertThat(rows(foo + "_hst")).isEqualTo(rows);
      assertThat(found()).isEqualTo(rows);
    }
    merge("begin");
    merge("copy");
    psql.as("app", "me", "SELECT naksha_collection_purge('%s')".formatted(foo));
    requireNothingLeft();
  }

  @Test
  void rowsAreCopiedWhileOthersReadAndWriteAndOnlyTheSwapWaits() throws SQLException {
    try (Psql other = Psql.connect(storage.url)) {
      merge("begin");
      other.run("BEGIN");
      late(other, 100, 1);

      MaintenanceReport waiting = maintained(MERGING);

      assertThat(waiting.tables(MaintenanceStep.Kind.SKIPPED)).contains(foo + "_hst_" + month);
      assertThat(psql.number("SELECT count(*) FROM \"naksha_merge_%s.%s\"".formatted(foo, month)))
          .isEqualTo(12);
      assertThat(rows(foo + "_hst")).hasSize(12);
      other.run("COMMIT");
      Set<Integer> rows = rows(foo + "_hst");
      assertThat(rows).hasSize(13);
      assertThat(maintained(MERGING).tables(MaintenanceStep.Kind.MERGED)).hasSize(1);
      requireMerged(rows);
    }
  }

  /** Somebody writes all the time, and maintainers are killed wherever they are. */
  @Test
  void nothingIsLostHoweverOftenMaintainersAreKilled() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger(1000);
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              try (Psql writer = Psql.connect(storage.url)) {
                while (!ended.get()) {
                  int i = written.get();
                  late(writer, i, i % 28);
                  written.incrementAndGet();
                }
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    CompletableFuture<Void> killing =
        CompletableFuture.runAsync(
            () -> {
              try (Psql killer = Psql.connect(storage.url)) {
                while (!ended.get()) {
                  killer.run(
                      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE"
                          + " '%naksha_merge%' AND random() < 0.02 AND pid <> pg_backend_pid()"
                          + " AND datname = current_database()");
                }
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    for (int n = 0; n < 10; n++) {
      try {
        storage.features.maintain(n % 3 == 2 ? MaintainOptions.defaults() : MERGING);
      } catch (TidemarkException e) {
        assertThat(e).isInstanceOf(StorageUnavailableException.class);
      }
    }
    ended.set(true);
    writing.join();
    killing.join();
    Set<Integer> rows = rows(foo + "_hst");

    maintained(MERGING);

    assertThat(rows).hasSize(12 + written.get() - 1000);
    requireMerged(rows);
  }
}
