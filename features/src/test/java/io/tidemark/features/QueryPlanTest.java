// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.Txn;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureFilter;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.TagFilter;
import io.tidemark.features.query.Tile;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Queries use indices on 20,000 features, in one table and in sixteen, with the planner as it is:
 * case D25, and the same for ids, GUIDs, boxes, tiles and tags.
 */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryPlanTest {

  private static final int FEATURES = 20_000;

  private TestStorage storage;
  private final List<String> collections = new ArrayList<>();

  @BeforeAll
  void open(PostgresServer server) throws SQLException {
    storage = TestStorage.in(server);
    for (CollectionOptions options :
        List.of(CollectionOptions.none(), CollectionOptions.none().unpartitioned().pointsOnly())) {
      String collection = storage.create(options);
      fill(collection);
      collections.add(collection);
    }
  }

  /** 200 times 100 places, a tenth of a degree apart; every thousandth is by somebody else. */
  private void fill(String collection) throws SQLException {
    String rows =
        "INSERT INTO %s (jsondata, geo) SELECT jsonb_build_object('id', 'f' || n, 'properties',"
            + " jsonb_build_object('n', n, '@ns:com:here:xyz', jsonb_build_object("
            + "'tags', jsonb_build_array('all', 't' || n %% 500), 'crid', 'c' || n))),"
            + " ST_SetSRID(ST_MakePoint(n %% 200 * 0.1, n / 200 * 0.1), 4326)"
            + " FROM generate_series(0, %d) n WHERE n %% 1000 %s 7";
    storage.psql.as("app", "alice", rows.formatted(collection, FEATURES - 1, "<>"));
    storage.psql.as("rare", "bob", rows.formatted(collection, FEATURES - 1, "="));
    storage.psql.run("ANALYZE " + collection);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  @TestFactory
  List<DynamicTest> d25NothingIsReadFromEndToEnd() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String collection : collections) {
      FeatureQuery some = FeatureQuery.from(collection).ids(List.of("f7")).build();
      Feature one = storage.features.read(r -> r.query(some)).features().get(0);
      XyzNamespace xyzNamespace = one.xyz().orElseThrow();
      tests.add(test(collection, "id", 3, q -> q.ids(List.of("f1", "f2", "f3", "none"))));
      tests.add(test(collection, "id", 2, q -> q.where(FeatureFilter.parse("f.id=f1,f19999"))));
      tests.add(
          test(
              collection,
              "id",
              11,
              q -> q.where(FeatureFilter.startsWith(FeatureField.ID, "f1999"))));
      tests.add(
          test(
              collection,
              "pkey",
              1,
              q ->
                  q.where(
                      FeatureFilter.parse("f.uuid='" + xyzNamespace.uuid().orElseThrow() + "'"))));
      tests.add(test(collection, "geo", 9, q -> q.in(Area.box(4.95, 4.95, 5.25, 5.25))));
      tests.add(test(collection, "geo", 12, q -> q.in(Tile.here("1200021112").box())));
      tests.add(test(collection, "geo", 9, q -> q.in(Tile.web("1222221112").box())));
      tests.add(test(collection, "geo", 1, q -> q.in(Area.withinMetres(5, 5, 1_000))));
      tests.add(test(collection, "geo", 5, q -> q.in(Area.withinMetres(5, 5, 11_200))));
      tests.add(test(collection, "tags", 40, q -> q.tagged(TagFilter.parse("t7"))));
      tests.add(test(collection, "tags", 80, q -> q.tagged(TagFilter.parse("t7+all,T8"))));
      tests.add(test(collection, "action", 20, q -> q.where(FeatureFilter.parse("f.author=bob"))));
      tests.add(
          test(
              collection,
              "txn",
              20,
              q -> q.where(FeatureFilter.parse("f.txn=" + xyzNamespace.txn()))));
      tests.add(test(collection, "mrid", 1, q -> q.where(FeatureFilter.parse("f.mrid=c7"))));
      tests.add(
          test(
              collection,
              "qrid",
              1,
              q ->
                  q.where(
                      FeatureFilter.startsWith(
                          FeatureField.metadata("qrid"),
                          xyzNamespace.json().path("qrid").asText().substring(0, 14)))));
    }
    return tests;
  }

  /** Of the current features too, when others have written since the first page. */
  @TestFactory
  List<DynamicTest> furtherPagesAreFoundByKeys() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String collection : collections) {
      for (FeatureQuery.Builder asked :
          List.of(
              FeatureQuery.from(collection),
              FeatureQuery.from(collection).in(Area.box(4.95, 4.95, 5.25, 5.25)),
              FeatureQuery.from(collection).tagged(TagFilter.parse("t7")))) {
        FeatureQuery query = asked.limit(5).build();
        tests.add(DynamicTest.dynamicTest(collection, () -> checkFurther(query, collection)));
      }
    }
    return tests;
  }

  private void checkFurther(FeatureQuery query, String collection) {
    String handle = storage.features.read(r -> r.query(query)).next().orElseThrow();
    storage.features.write(
        ALICE, collection, List.of(Write.upsert(Feature.parse("{\"id\": \"f19998\"}"))));

    List<String> plan = storage.features.read(r -> r.explain(query.after(handle)));

    assertThat(String.join("\n", plan)).contains(collection + "_hst_");
    assertThat(plan).noneMatch(line -> line.contains("Seq Scan") && !line.contains("_hst_"));
  }

  /** Days that are over have keys for it, so that the past is no slower than now. */
  @Test
  void placesAndTagsAtAVersionAreFoundByKeysOfDaysThatAreOver() throws SQLException {
    LocalDate yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
    String collection = collections.get(0);
    String sealed = collection + "_hst_" + yesterday.toString().replace('-', '_');
    storage.psql.run(
        "SELECT naksha_history_partition('%s', '%s')".formatted(collection, yesterday),
        ("INSERT INTO %1$s_hst (i, geo, jsondata) SELECT nextval('%1$s_i_seq'), geo, jsonb_set("
                + "jsondata, '{properties,@ns:com:here:xyz}', jsondata->'properties'->"
                + "'@ns:com:here:xyz' || '{\"txn\": %2$d, \"txn_next\": %3$d}') FROM %1$s"
                + " WHERE geo IS NOT NULL")
            .formatted(
                collection,
                Txn.of(yesterday.minusDays(2), 1).value(),
                Txn.of(yesterday, 1).value()));
    storage.features.maintain();
    Txn version = Txn.of(yesterday.minusDays(1), 1);

    checkPast(
        FeatureQuery.from(collection).in(Area.box(4.95, 4.95, 5.25, 5.25)).at(version).build(),
        sealed + "_geo_idx",
        9);
    checkPast(
        FeatureQuery.from(collection).in(Area.withinMetres(5, 5, 1_000)).at(version).build(),
        sealed + "_geo_idx",
        1);
    checkPast(
        FeatureQuery.from(collection).tagged(TagFilter.parse("T7")).at(version).build(),
        sealed + "_expr_idx",
        40);
  }

  private void checkPast(FeatureQuery query, String key, int expected) {
    List<String> plan = storage.features.read(r -> r.explain(query));

    assertThat(String.join("\n", plan)).contains(key);
    // Days that aren't over have no rows here.
    String sealed = key.substring(0, key.indexOf("_hst_") + "_hst_YYYY_MM_DD".length());
    assertThat(plan).noneMatch(line -> line.contains("Seq Scan on " + sealed));
    assertThat(storage.features.read(r -> r.query(query)).features()).hasSize(expected);
  }

  /** A state is found by its GUID, in whichever table it is. */
  @Test
  void aGuidIsFoundByKeys() throws SQLException {
    for (String collection : collections) {
      FeatureQuery some = FeatureQuery.from(collection).ids(List.of("f7")).build();
      Feature one = storage.features.read(r -> r.query(some)).features().get(0);
      Guid guid = Guid.parse(one.xyz().flatMap(XyzNamespace::uuid).orElseThrow());

      String plans = storage.plans(r -> assertThat(r.byGuid(guid)).isPresent());

      assertThat(plans)
          .contains("_pkey on " + collection, "_pkey on " + collection + "_hst_")
          .contains("_pkey on " + collection + "_del")
          .doesNotContain("Seq Scan");
    }
  }

  private DynamicTest test(
      String collection, String index, int expected, UnaryOperator<FeatureQuery.Builder> narrowed) {
    FeatureQuery query = narrowed.apply(FeatureQuery.from(collection)).build();
    return DynamicTest.dynamicTest(
        collection + " by " + index, () -> check(query, index, expected));
  }

  private void check(FeatureQuery query, String index, int expected) {
    List<String> plan = storage.features.read(r -> r.explain(query));

    assertThat(String.join("\n", plan))
        .contains("_" + index + (index.equals("pkey") ? "" : "_idx"))
        .doesNotContain("Seq Scan");
    int found = storage.features.read(r -> r.query(query)).features().size();
    assertThat(found).isEqualTo(expected);
  }
}
