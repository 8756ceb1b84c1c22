// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.bulk.output.ExportOptions;
import io.tidemark.features.bulk.output.ExportOptions.At;
import io.tidemark.features.bulk.output.ExportOptions.Form;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.maintain.BackgroundMaintainer;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.Maintenance;
import io.tidemark.features.maintain.Statistics;
import io.tidemark.features.maintain.Step;
import io.tidemark.features.maintain.Upkeep;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The maintainer: cases F4, F5 and F6, decision 13, and partitions ahead of time. */
@ExtendWith(Servers.class)
class MaintainerTest {

  private final TestStorage storage;
  private final Psql psql;
  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

  MaintainerTest(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private Upkeep maintained(String name) {
    return maintained(name, MaintainOptions.defaults());
  }

  private Upkeep maintained(String name, MaintainOptions options) {
    Maintenance.Done done = (Maintenance.Done) storage.features.maintain(options);
    assertThat(done.failed()).isEmpty();
    return done.of(name).orElseThrow();
  }

  /** Puts a state into the history that was replaced on a day. */
  private void replaced(String collection, String id, LocalDate day) throws SQLException {
    replaced(collection, id, day, 5);
  }

  private void replaced(String collection, String id, LocalDate day, long n) throws SQLException {
    psql.run(
        "SELECT naksha_history_partition('%s', '%s')".formatted(collection, day),
        ("INSERT INTO %1$s_hst (i, jsondata) SELECT nextval('%1$s_i_seq'), jsonb_build_object('id',"
                + " '%2$s', 'properties', jsonb_build_object('@ns:com:here:xyz', jsonb_build_object("
                + "'txn', %3$d, 'txn_next', %4$d, 'uuid', '%2$s %4$d')))")
            .formatted(
                collection, id, Txn.of(day.minusDays(1), n).value(), Txn.of(day, n).value()));
  }

  private static String table(String collection, LocalDate day) {
    return collection + "_hst_" + day.toString().replace('-', '_');
  }

  @Test
  void partitionsOfTodayAndTwoMoreDaysAreMade() throws SQLException {
    String foo = storage.small();
    String day = today.plusDays(2).toString().replace('-', '_');
    psql.run("DROP TABLE %s_hst_%s".formatted(foo, day), "DROP TABLE naksha_tx_" + day);

    Maintenance.Done done = (Maintenance.Done) storage.features.maintain();

    assertThat(done.upkeep()).extracting(Upkeep::name).containsExactly("naksha_tx", foo);
    assertThat(done.of("naksha_tx").orElseThrow().tables(Step.Kind.CREATED))
        .containsExactly("naksha_tx_" + day);
    assertThat(done.of(foo).orElseThrow().tables(Step.Kind.CREATED))
        .containsExactly(foo + "_hst_" + day);
    assertThat(maintained(foo).steps()).isEmpty();
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

    assertThat(maintained(foo).tables(Step.Kind.DROPPED))
        .containsExactly(table(foo, today.minusDays(400)), table(foo, today.minusDays(11)));

    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(foo))).isEqualTo(3);
    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(kept))).isEqualTo(5);
    for (String each : List.of(kept, foo)) {
      assertThat(psql.number("SELECT count(*) FROM " + each)).isEqualTo(1);
      assertThat(psql.number("SELECT count(*) FROM %s_del".formatted(each))).isEqualTo(1);
    }

    storage.features.transact(
        ALICE, tx -> tx.collections().update(foo, CollectionOptions.none().maxAge(0)));
    assertThat(maintained(foo).tables(Step.Kind.DROPPED))
        .containsExactly(table(foo, today.minusDays(10)));
    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(foo))).isEqualTo(2);
  }

  @Test
  void aVersionWhoseHistoryWasDroppedIsRefused(@TempDir Path directory) throws SQLException {
    CollectionOptions tenDays = CollectionOptions.none().unpartitioned().maxAge(10);
    String foo = storage.create(tenDays);
    String idle = storage.create(tenDays);
    replaced(foo, "a", today.minusDays(12));
    replaced(foo, "a", today.minusDays(3));
    psql.run("SELECT naksha_history_partition('%s', '%s')".formatted(idle, today.minusDays(12)));
    Txn gone = Txn.of(today.minusDays(12), 1);
    assertThat(at(foo, gone)).hasSize(1);

    assertThat(maintained(foo).tables(Step.Kind.DROPPED)).hasSize(1);

    assertThatThrownBy(() -> at(foo, gone))
        .isInstanceOf(HistoryGoneException.class)
        .hasMessageContaining("collection '%s' before %s", foo, today.minusDays(11))
        .hasMessageContaining("with transaction " + gone.value());
    FeatureQuery query = FeatureQuery.from(foo, idle).at(gone).build();
    assertThatThrownBy(() -> storage.features.read(r -> r.query(query)))
        .isInstanceOf(HistoryGoneException.class);
    assertThatThrownBy(() -> storage.features.read(r -> r.each(query, feature -> {})))
        .isInstanceOf(HistoryGoneException.class);
    assertThatThrownBy(() -> export(foo, gone, directory)).isInstanceOf(HistoryGoneException.class);
    // A moment before anything was done on a day has the number before its first, which has no day
    // of its own at the beginning of a month.
    if (today.minusDays(11).getDayOfMonth() > 1) {
      Txn first = new Txn(Txn.of(today.minusDays(11), 0).value() - 1);
      assertThat(at(foo, first)).isEmpty();
    }
    assertThat(at(foo, Txn.of(today.minusDays(4), 9))).hasSize(1);
    assertThat(export(foo, Txn.of(today.minusDays(4), 9), directory)).isEqualTo(1);
    // Nothing was lost with a day on which nothing was replaced.
    assertThat(at(idle, gone)).isEmpty();
    // What is made anew has a history of its own.
    storage.features.transact(
        ALICE,
        tx -> {
          tx.collections().delete(foo);
          tx.collections().purge(foo);
          return tx.collections().create(foo, tenDays);
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
        .export(collection, ExportOptions.of(Form.GEOJSON_SEQ).with(new At.Version(version)))
        .to(directory.resolve("a.geojsonl"), rows -> {});
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

    Statistics nine = maintained(foo).statistics();
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
    Statistics eleven = maintained(foo).statistics();
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

    Statistics small = maintained(foo).statistics();
    assertThat(small).isNotNull();
    assertThat(small.byteSize() + " " + small.compressedSize()).isEqualTo(psql.value(sizes + foo));
    assertThat(small.compressedSize()).isGreaterThan(small.byteSize());

    storage.put(
        foo, "{\"id\": \"b\", \"properties\": {\"p\": \"%s\"}}".formatted("x".repeat(9_999)));
    Statistics large = maintained(foo).statistics();
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

    Statistics empty = maintained(foo).statistics();
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
    Statistics large = maintained(foo).statistics();
    assertThat(large).isNotNull();
    assertThat(large.byteSize()).isGreaterThan(10 << 20);
    assertThat(large.byQrid()).isEqualTo(Map.of("1200021112001310021112001310021", 2L));
    assertThat(psql.number(most)).isEqualTo(1);
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
    assertThat(maintained(foo).tables(Step.Kind.SEALED)).hasSize(8);

    Upkeep done = maintained(foo, MaintainOptions.defaults().mergingMonths());

    assertThat(done.tables(Step.Kind.MERGED)).hasSize(2);
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

    Maintenance.Done done =
        (Maintenance.Done) storage.features.maintain(MaintainOptions.defaults().mergingMonths());

    assertThat(done.failed()).extracting(Upkeep::name).containsExactly(foo);
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
              maintained(foo, MaintainOptions.defaults().mergingMonths()).tables(Step.Kind.MERGED))
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
    assertThat(maintained(foo).tables(Step.Kind.SEALED))
        .containsExactly(table(foo, today.minusDays(3)));
    assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "b"))).isEmpty();

    replaced(foo, "b", today.minusDays(3));

    assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "b"))).hasSize(1);
    assertThat(storage.features.<List<Feature>>read(r -> r.versions(foo, "a"))).hasSize(1);
    assertThat(maintained(foo).steps()).isEmpty();
  }

  @Test
  void aStepThatOthersAreInTheWayOfIsLeftForTheNextTime() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned().maxAge(10));
    replaced(foo, "a", today.minusDays(20));
    try (Psql reader = Psql.connect(storage.url)) {
      reader.run("BEGIN", "SELECT count(*) FROM %s_hst".formatted(foo));

      assertThat(maintained(foo).tables(Step.Kind.SKIPPED))
          .containsExactly(table(foo, today.minusDays(20)));
      reader.run("COMMIT");
    }
    assertThat(maintained(foo).tables(Step.Kind.DROPPED))
        .containsExactly(table(foo, today.minusDays(20)));
  }

  /** Whoever ends a load holds the collection, too, and then wants its tables. */
  @Test
  void whoeverWaitsToNoteWhatWasMeasuredHoldsNoTable() throws SQLException {
    String foo = storage.small();
    List<String> held = new ArrayList<>();
    try (Psql other = Psql.connect(storage.url)) {
      other.run("BEGIN", "SELECT naksha_lock('collection %s')".formatted(foo));
      while (held.isEmpty()) {
        CompletableFuture<Upkeep> upkeep = CompletableFuture.supplyAsync(() -> maintained(foo));
        while (held.isEmpty() && !upkeep.isDone()) {
          held.addAll(
              psql.values(
                  ("SELECT (SELECT count(*) FROM pg_locks h WHERE h.pid = w.pid AND h.granted AND"
                          + " h.relation = '%s'::regclass) FROM pg_locks w WHERE NOT w.granted AND"
                          + " w.locktype = 'advisory'")
                      .formatted(foo)));
        }
        assertThat(upkeep.join().steps())
            .containsExactly(new Step(Step.Kind.SKIPPED, foo, "others use it; it wasn't measured"));
        assertThat(upkeep.join().statistics()).isNull();
      }
    }
    assertThat(held).containsExactly("0");
    assertThat(maintained(foo).statistics()).isNotNull();
  }

  @Test
  void aFailureOfOneCollectionDoesntStopTheOthers() throws SQLException {
    String bad = storage.small();
    String good = storage.small();
    replaced(bad, "a", today.minusDays(3));
    replaced(good, "a", today.minusDays(3));
    psql.run("DROP TABLE %s_meta".formatted(bad));

    Maintenance.Done done = (Maintenance.Done) storage.features.maintain();

    assertThat(done.failed()).extracting(Upkeep::name).containsExactly(bad);
    assertThat(done.failed().get(0).failure()).contains(bad + "_meta\" does not exist");
    assertThat(done.of(good).orElseThrow().statistics()).isNotNull();
    assertThat(done.of(bad).orElseThrow().tables(Step.Kind.SEALED)).hasSize(1);
  }

  @Test
  void theLogIsDroppedOnlyWhenAskedAndNumbered() throws SQLException {
    LocalDate old = today.minusDays(9);
    psql.run(
        "SELECT naksha_partition('naksha_tx', '%s', '{}')".formatted(old),
        ("INSERT INTO naksha_tx (ts, psql_id, txn, action, id, app_id) VALUES (now(), 1, %d,"
                + " 'MESSAGE', 'm', 'app')")
            .formatted(Txn.of(old, 1).value()));
    MaintainOptions week = MaintainOptions.defaults().keepingLogFor(7);
    String name = "naksha_tx_" + old.toString().replace('-', '_');

    assertThat(maintained("naksha_tx").steps()).isEmpty();
    assertThat(maintained("naksha_tx", week).tables(Step.Kind.SKIPPED)).containsExactly(name);
    assertThat(storage.features.log().sequence()).isEqualTo(1);
    assertThat(maintained("naksha_tx", week).tables(Step.Kind.DROPPED)).containsExactly(name);
    assertThat(storage.features.log().lastNumber()).isEqualTo(1);
    assertThat(storage.features.log().fromNumber(1, 5)).isEmpty();
  }

  @Test
  void oneMaintainsAtATime() throws SQLException {
    psql.run("SELECT pg_advisory_lock(hashtext('public.naksha'), hashtext('maintainer'))");

    assertThat(storage.features.maintain()).isEqualTo(new Maintenance.Busy());
    psql.run("SELECT pg_advisory_unlock_all()");
    assertThat(storage.features.maintain()).isInstanceOf(Maintenance.Done.class);
  }

  @Test
  void inTheBackgroundItWorksAgainAndAgainUntilTheStorageIsClosed() throws SQLException {
    String foo = storage.small();
    BackgroundMaintainer background =
        storage.features.startMaintainer(MaintainOptions.defaults().every(Duration.ofMillis(50)));
    for (int n = 0; n < 2; n++) {
      psql.run("DROP TABLE " + table(foo, today.plusDays(2)));
      while (psql.value("SELECT to_regclass('%s')".formatted(table(foo, today.plusDays(2))))
          == null) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
    storage.features.close();

    assertThat(background.last()).get().isInstanceOf(Maintenance.Done.class);
    assertThatThrownBy(() -> MaintainOptions.defaults().every(Duration.ofHours(13)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("every PT13H");
  }
}
