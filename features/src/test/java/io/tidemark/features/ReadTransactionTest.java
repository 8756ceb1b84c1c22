// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.Txn;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading by id, by GUID and at a version: cases D18 to D20 and D22. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadTransactionTest {

  private TestStorage storage;
  private Psql psql;

  @BeforeAll
  void open(PostgresServer server) throws SQLException {
    storage = TestStorage.in(server);
    psql = storage.psql;
    seedExample();
  }

  @AfterAll
  void close() {
    storage.close();
  }

  /** The states of the seed's example, with numbers of 19 digits. */
  private void seedExample() throws SQLException {
    storage.features.transact(
        ALICE, tx -> tx.collections().create("d18", CollectionOptions.none().unpartitioned()));
    for (String day : List.of("2023-01-02", "2023-01-04", "2023-01-15")) {
      psql.run("SELECT naksha_history_partition('d18', '%s')".formatted(day));
    }
    psql.run(
        "ALTER TABLE d18 DISABLE TRIGGER ALL",
        state("d18_hst", 1, 10, "2023010100000000000", "2023010200000000000"),
        state("d18_hst", 2, 20, "2023010200000000000", "2023010200000010000"),
        state("d18_hst", 3, 25, "2023010200000010000", "2023010400000000000"),
        state("d18_hst", 4, 40, "2023010400000000000", "2023011500000000000"),
        state("d18", 5, 50, "2023011500000000000", "0"),
        "ALTER TABLE d18 ENABLE TRIGGER ALL");
  }

  private static String state(String table, int i, int limit, String txn, String next) {
    return ("INSERT INTO %s (i, jsondata) VALUES (%d, '{\"id\": \"foo\", \"properties\": {\"speedLimit\": %d,"
            + " \"@ns:com:here:xyz\": {\"txn\": %s, \"txn_next\": %s, \"uuid\": \"store:d18:%s:%d\"}}}')")
        .formatted(
            table,
            i,
            limit,
            txn,
            next,
            "%s:%s:%s".formatted(txn.substring(0, 4), txn.substring(4, 6), txn.substring(6, 8)),
            i);
  }

  private static List<Integer> limits(List<Feature> features) {
    return features.stream()
        .map(f -> f.data().path("properties").path("speedLimit").intValue())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "2023010300000000000, 25",
    "2023010200000000000, 20",
    "2023010200000009999, 20",
    "2023011400000000000, 40",
    "2023011500000000000, 50",
    "2022123100000000000, "
  })
  void d18TheStateAtAVersion(long version, Integer limit) {
    List<Feature> found =
        storage.features.read(r -> r.byIdsAt("d18", List.of("foo"), new Txn(version)));

    assertThat(limits(found)).isEqualTo(limit == null ? List.of() : List.of(limit));
  }

  @Test
  void d19OnlyDaysFromTheVersionOnAreLookedAt() throws SQLException {
    assertThat(psql.values("SELECT tableoid::regclass FROM d18_hst ORDER BY i"))
        .containsExactly(
            "d18_hst_2023_01_02", "d18_hst_2023_01_02", "d18_hst_2023_01_04", "d18_hst_2023_01_15");
    String plans =
        storage.plans(r -> r.byIdsAt("d18", List.of("foo"), new Txn(2023010300000000000L)));

    assertThat(plans)
        .contains("on d18_hst_2023_01_04", "on d18_hst_2023_01_15")
        .doesNotContain("2023_01_02");
  }

  @Test
  void aStateIsFoundByItsGuid() {
    assertThat(guid("store:d18:2023:1:2:3")).isEqualTo(List.of(25));
    assertThat(guid("store:d18:2023:01:15:5")).isEqualTo(List.of(50));
    assertThat(guid("store:d18:2023:1:15:3")).isEmpty();
    assertThat(guid("other:d18:2023:1:2:3")).isEmpty();
    assertThat(guid("store:txn:2023:1:2:3")).isEmpty();
    assertThat(guid("store:nothing:2023:1:2:3")).isEmpty();
  }

  private List<Integer> guid(String guid) {
    Optional<Feature> found = storage.features.read(r -> r.byGuid(Guid.parse(guid)));
    return limits(found.stream().toList());
  }

  @Test
  void d20D22AllStatesAndThoseBeforeAndAfterADeletion() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    List<XyzNamespace> states = new ArrayList<>();
    List<Instant> moments = new ArrayList<>(List.of(psql.moment("clock_timestamp()")));
    for (Write write :
        List.of(
            Write.create(Feature.parse("{\"id\": \"a\", \"properties\": {\"n\": 1}}")),
            Write.update(Feature.parse("{\"id\": \"a\", \"properties\": {\"n\": 2}}")),
            Write.delete("a"))) {
      storage.features.write(ALICE, foo, List.of(write));
      List<Feature> versions = storage.features.read(r -> r.versions(foo, "a"));
      states.add(versions.get(versions.size() - 1).xyz().orElseThrow());
      moments.add(psql.moment("clock_timestamp()"));
    }

    List<Feature> all = storage.features.read(r -> r.versions(foo, "a"));
    assertThat(all).extracting(f -> f.xyz().orElseThrow().version()).containsExactly(1L, 2L, 3L);
    assertThat(all)
        .extracting(f -> f.xyz().orElseThrow().action())
        .containsExactly("CREATE", "UPDATE", "DELETE");
    assertThat(ns(foo, states.get(0).txn())).containsExactly(1);
    assertThat(ns(foo, states.get(1).txn())).containsExactly(2);
    assertThat(ns(foo, states.get(2).txn())).isEmpty();
    assertThat(ns(foo, Txn.of(LocalDate.of(2020, 1, 1), 0))).isEmpty();
    assertThat(moments.stream().map(moment -> versions(foo, moment)))
        .as("before, between and after the commits")
        .containsExactly(List.of(), List.of(1L), List.of(2L), List.of());
    Optional<Feature> gone = storage.features.read(r -> r.byId(foo, "a"));
    assertThat(gone).isEmpty();
    List<Feature> zombies = storage.features.read(r -> r.deleted(foo, List.of("a")));
    assertThat(zombies).hasSize(1);
    for (XyzNamespace state : states) {
      Optional<Feature> found =
          storage.features.read(r -> r.byGuid(Guid.parse(state.uuid().orElseThrow())));
      assertThat(found.flatMap(Feature::xyz).map(XyzNamespace::version)).contains(state.version());
    }
  }

  private List<Long> versions(String collection, Instant moment) {
    List<Feature> then = storage.features.read(r -> r.byIdsAt(collection, List.of("a"), moment));
    return then.stream().map(state -> state.xyz().orElseThrow().version()).toList();
  }

  private List<Integer> ns(String collection, Txn version) {
    List<Feature> found = storage.features.read(r -> r.byIdsAt(collection, List.of("a"), version));
    return found.stream().map(f -> f.data().path("properties").path("n").intValue()).toList();
  }

  @Test
  void featuresComeInTheOrderInWhichTheyAreAskedFor() {
    String foo = storage.create(CollectionOptions.none());
    storage.features.write(
        ALICE,
        foo,
        List.of(
            Write.create(Feature.parse("{\"id\": \"a\"}")),
            Write.create(Feature.parse("{\"id\": \"b\"}"))));

    List<Feature> found = storage.features.read(r -> r.byIds(foo, List.of("b", "none", "a", "b")));

    assertThat(found).extracting(f -> f.id().orElseThrow()).containsExactly("b", "a");
    assertThatThrownBy(() -> storage.features.read(r -> r.byId("nowhere", "a")))
        .isInstanceOf(CollectionNotFoundException.class);
  }

  /** The number before the first of a month has the day 00, which is no date. */
  @Test
  void theFirstOfAMonthIsADayLikeOthersThoughNothingWasDoneOnIt() {
    String collection = storage.small();
    storage.features.write(
        TestStorage.ALICE,
        collection,
        List.of(Write.create(Feature.parse("{\"type\":\"Feature\",\"id\":\"a\"}"))));
    List<Feature> then =
        storage.features.read(
            readTransaction ->
                readTransaction.byIdsAt(
                    collection, List.of("a"), Instant.parse("9000-01-01T00:00:00Z")));
    assertThat(then).extracting(feature -> feature.id().orElse("")).containsExactly("a");
  }

  /** Every id is looked for in its own leaf, and nowhere by reading all. */
  @Test
  void aFeatureIsFoundByKeys() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    psql.as(
        "a",
        "b",
        "INSERT INTO %s (jsondata) SELECT jsonb_build_object('id', 'f' || n) FROM generate_series(1, 20000) n"
            .formatted(foo));
    psql.run("ANALYZE " + foo);

    String plans = storage.plans(r -> r.byIds(foo, List.of("f1", "f2", "f3")));

    assertThat(plans).contains("Index Scan", "never executed").doesNotContain("Seq Scan");
  }
}
