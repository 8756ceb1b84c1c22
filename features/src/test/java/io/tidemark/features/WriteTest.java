// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.RowResult.Conflict;
import io.tidemark.features.RowResult.Created;
import io.tidemark.features.RowResult.Deleted;
import io.tidemark.features.RowResult.Invalid;
import io.tidemark.features.RowResult.Missing;
import io.tidemark.features.RowResult.Purged;
import io.tidemark.features.RowResult.Retained;
import io.tidemark.features.RowResult.Updated;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.view.WritesJson;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing from Java: cases B1 to B20 where Java can, C1 to C18 and F8. */
@ExtendWith(Servers.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WriteTest {

  /** A transaction's own, one for its savepoint, and what others on the server may take. */
  private static final long MOST_XIDS = 10;

  /** One after the other, all that can be done with a feature. */
  private static final List<Function<String, Write>> KINDS =
      List.of(
          id -> Write.create(feature(id, "t")),
          id -> Write.update(feature(id, "u")),
          id -> Write.upsert(feature(id, "v")),
          Write::delete);

  private TestStorage storage;
  private Psql psql;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private static Feature feature(String id, String tag) {
    return Feature.parse(
        """
        {"type": "Feature", "id": "%s", "geometry": {"type": "Point", "coordinates": [5, 6, 2]},
         "properties": {"n": 1.50, "@ns:com:here:xyz": {"tags": ["%s"]}}}
        """
            .formatted(id, tag));
  }

  private List<RowResult> write(String collection, Write... writes) {
    return storage.features.transact(ALICE, tx -> tx.write(collection, List.of(writes))).rows();
  }

  private String withTheFeature() {
    String foo = storage.create(CollectionOptions.none());
    assertThat(write(foo, Write.create(feature("TheFeature", "one"))).get(0))
        .isInstanceOf(Created.class);
    return foo;
  }

  private static Xyz xyz(RowResult row) {
    Optional<Feature> state =
        switch (row.getClass().getSimpleName()) {
          case "Created" -> Optional.of(((Created) row).state());
          case "Updated" -> Optional.of(((Updated) row).state());
          case "Deleted" -> ((Deleted) row).state();
          case "Purged" -> ((Purged) row).state();
          default -> ((Conflict) row).actual();
        };
    return state.flatMap(Feature::xyz).orElseThrow();
  }

  @Test
  void c1ToC3WhatCantBeDoneIsToldWithTheCurrentState() throws SQLException {
    String foo = withTheFeature();
    Feature other = Feature.parse("{\"id\": \"TheFeature\"}");

    List<RowResult> rows =
        write(
            foo,
            Write.create(other),
            new Write.Update(other, "invalid_UUID"),
            Write.update(feature("nx", "t")));

    assertThat(rows.get(0))
        .isInstanceOfSatisfying(
            Conflict.class,
            c -> {
              assertThat(c.message())
                  .isEqualTo("The feature with the id 'TheFeature' does exist already");
              assertThat(c.actual().orElseThrow().geoJson()).contains("[5.0,6.0,2.0]");
            });
    assertThat(((Conflict) rows.get(1)).message())
        .startsWith("The feature 'TheFeature' uuid 'invalid_UUID' does not match");
    assertThat(((Missing) rows.get(2)).message())
        .isEqualTo("Operation failed, no feature with the id 'nx' exists");
    assertThat(psql.value("SELECT st_asewkt(geo) FROM " + foo)).isEqualTo("SRID=4326;POINT(5 6 2)");
  }

  /** Decision 7: a date in a GUID may be padded. */
  @Test
  void anExpectedStateIsMeantInEitherForm() throws SQLException {
    String foo = storage.small();
    storage.put(
        foo,
        Stream.of("a", "b", "c", "d", "e")
            .map("{\"id\": \"%s\"}"::formatted)
            .toArray(String[]::new));
    write(foo, Write.delete("e"));
    for (String table : List.of(foo, foo + "_del")) {
      psql.run(
          "SET session_replication_role = replica",
          ("UPDATE %s SET jsondata = jsonb_set(jsondata, '{properties,@ns:com:here:xyz,uuid}',"
                  + " to_jsonb('store:x:2023:1:3:' || ascii(jsondata->>'id')))")
              .formatted(table),
          "SET session_replication_role = origin");
    }

    List<RowResult> others =
        write(
            foo,
            new Write.Update(Feature.parse("{\"id\": \"a\"}"), "store:x:2023:01:30:97"),
            new Write.Purge("e", "store:x:2023:01:30:101"));
    List<RowResult> same =
        write(
            foo,
            new Write.Update(Feature.parse("{\"id\": \"a\"}"), "store:x:2023:01:03:97"),
            new Write.Upsert(Feature.parse("{\"id\": \"b\"}"), "store:x:2023:01:03:98"),
            new Write.Delete("c", "store:x:2023:01:03:99"),
            new Write.Purge("d", "store:x:2023:01:03:100"),
            new Write.Purge("e", "store:x:2023:01:03:101"));

    assertThat(others).hasOnlyElementsOfType(Conflict.class);
    assertThat(same)
        .extracting(row -> (Object) row.getClass())
        .containsExactly(Updated.class, Updated.class, Deleted.class, Purged.class, Purged.class);
  }

  @Test
  void c4AnUpsertCreatesOrUpdatesAndReplacesTags() {
    String foo = storage.create(CollectionOptions.none());

    RowResult created = write(foo, Write.upsert(feature("a", "one"))).get(0);
    RowResult updated = write(foo, Write.upsert(feature("a", "two"))).get(0);

    assertThat(created).isInstanceOf(Created.class);
    assertThat(updated).isInstanceOf(Updated.class);
    assertThat(xyz(updated).tags()).containsExactly("two");
    assertThat(xyz(updated).version()).isEqualTo(2);
    assertThat(xyz(updated).puuid()).isEqualTo(xyz(created).uuid());
    assertThat(xyz(updated).createdAt()).isEqualTo(xyz(created).createdAt());
  }

  @Test
  void c5OneThatCantBeDoneUndoesTheWholeBatchUnlessTheCallerWantsTheRest() throws SQLException {
    String foo = withTheFeature();
    List<Write> writes =
        List.of(Write.create(feature("123", "t")), Write.create(feature("TheFeature", "t")));

    WriteResult result = storage.features.write(ALICE, foo, writes);

    assertThat(result.done()).isFalse();
    assertThat(result.rows().get(0)).isInstanceOf(Created.class);
    assertThat(result.firstProblem())
        .hasValueSatisfying(p -> assertThat(p.id()).isEqualTo("TheFeature"));
    assertThat(psql.xyz(foo)).hasSize(1);
    write(foo, writes.toArray(new Write[0]));
    assertThat(psql.xyz(foo)).hasSize(2);
  }

  @Test
  void c6ADeletedFeatureIsToldAsItWasStored() throws SQLException {
    String foo = withTheFeature();

    RowResult row = write(foo, Write.delete("TheFeature")).get(0);

    assertThat(xyz(row).action()).isEqualTo("DELETE");
    assertThat(xyz(row).version()).isEqualTo(2);
    assertThat(((Deleted) row).state().orElseThrow().geoJson()).contains("[5.0,6.0,2.0]");
    assertThat(psql.xyz(foo + "_hst")).hasSize(2);
    assertThat(psql.xyz(foo + "_del").get(0).get("uuid").textValue())
        .isEqualTo(xyz(row).uuid().orElseThrow());
  }

  @Test
  void c9C10APurgeLeavesNoDeletionCopy() throws SQLException {
    String foo = withTheFeature();

    // One answer for both steps: purged, with the state of the deletion that came first.
    RowResult purged = write(foo, Write.purge("TheFeature")).get(0);
    assertThat(purged).isInstanceOf(Purged.class);
    assertThat(xyz(purged).action()).isEqualTo("DELETE");
    assertThat(psql.xyz(foo + "_del")).isEmpty();
    assertThat(psql.xyz(foo + "_hst"))
        .extracting(x -> x.get("action").textValue())
        .containsExactly("CREATE", "DELETE");
    assertThat(write(foo, Write.purge("TheFeature")).get(0)).isInstanceOf(Retained.class);

    write(foo, Write.create(feature("b", "t")));
    write(foo, Write.delete("b"));
    assertThat(write(foo, new Write.Purge("b", "wrong")).get(0)).isInstanceOf(Conflict.class);
    assertThat(xyz(write(foo, Write.purge("b")).get(0)).action()).isEqualTo("DELETE");
    assertThat(write(foo, Write.purge("b")).get(0)).isInstanceOf(Retained.class);
  }

  @Test
  void c11C18WhoWritesToNoCollectionIsTold() {
    String foo = withTheFeature();

    assertThatThrownBy(() -> write("nowhere", Write.delete("x")))
        .isInstanceOf(CollectionNotFoundException.class)
        .hasMessage("there is no collection 'nowhere'; create it first");
    storage.features.transact(ALICE, tx -> tx.collections().delete(foo));
    assertThatThrownBy(() -> write(foo, Write.delete("x")))
        .isInstanceOf(CollectionNotFoundException.class)
        .hasMessageContaining("is deleted; restore it");
  }

  @Test
  void c16AnOperationThatThereIsNotIsTheProblemOfItsRow() {
    String foo = storage.small();
    WritesJson batch =
        WritesJson.parse(
            GeoJson.object(
                "{\"writes\": [{\"op\": \"create\", \"feature\": {\"id\": \"a\"}}, {\"op\": \"FOO\","
                    + " \"feature\": {\"id\": \"b\"}}, {\"id\": \"c\"}, {\"op\": \"delete\", \"id\":"
                    + " \"d\"}]}"));
    assertThat(WritesJson.parse(batch.json()).writes())
        .as("sent on")
        .filteredOn(Write.Unknown.class::isInstance)
        .containsExactly(new Write.Unknown("FOO", "b"), new Write.Unknown("", "c"));

    WriteResult result =
        storage.features.transact(ALICE, tx -> tx.write(foo, batch.writes(), Answer.BRIEF));

    assertThat(result.rows())
        .extracting(row -> row.getClass().getSimpleName() + " " + row.id())
        .containsExactly("Created a", "Invalid b", "Invalid c", "Retained d");
    assertThat(((RowResult.Invalid) result.rows().get(1)).message())
        .isEqualTo("there is no operation 'FOO'; give create, update, upsert, delete or purge");
    assertThat(storage.features.write(ALICE, foo, batch.writes()).done()).isFalse();
    assertThat(storage.ids(FeatureQuery.from(foo))).containsExactly("a");
  }

  @Test
  void c12AMixOfEverythingIsAnsweredInTheOrderItWasGiven() {
    String foo = withTheFeature();
    write(foo, Write.create(feature("d", "t")), Write.create(feature("p", "t")));
    Feature nameless = Feature.parse("{}");

    List<RowResult> rows =
        write(
            foo,
            Write.create(feature("121", "t")),
            Write.upsert(feature("TheFeature", "t")),
            Write.delete("d"),
            Write.update(nameless),
            Write.create(feature("120", "t")),
            Write.purge("p"),
            Write.create(nameless),
            Write.delete("absent"),
            new Write.Delete("121", "wrong"),
            Write.delete("121"),
            Write.create(feature("121", "again")));

    assertThat(rows)
        .extracting(row -> row.getClass().getSimpleName())
        .containsExactly(
            "Created",
            "Updated",
            "Deleted",
            "Invalid",
            "Created",
            "Purged",
            "Created",
            "Retained",
            "Conflict",
            "Deleted",
            "Created");
    assertThat(rows.get(0).id()).isEqualTo("121");
    assertThat(rows.get(6).id()).matches("[0-9a-f]{32}");
    assertThat(xyz(rows.get(10)).version()).isEqualTo(1);
  }

  /** Whatever is kept of deleted features, and also in a transaction that has deleted before. */
  @Test
  void whatIsNotThereIsToldApartFromWhatIsDeleted() {
    CollectionOptions usual = CollectionOptions.none();
    for (CollectionOptions options :
        List.of(
            usual,
            usual.unpartitioned(),
            usual.unpartitioned().purgingDeleted(),
            usual.unpartitioned().withoutHistory(),
            usual.unpartitioned().withoutHistory().purgingDeleted())) {
      String foo = storage.create(options);
      storage.put(foo, "{\"id\": \"a,{\\\"\"}", "{\"id\": \"b\"}", "{\"id\": \"c\"}");
      List<Write> writes = Stream.of("absent", "a,{\"", "b", "null").map(Write::delete).toList();

      List<List<RowResult>> rows =
          storage.features.transact(
              ALICE, tx -> List.of(tx.write(foo, writes).rows(), tx.write(foo, writes).rows()));

      assertThat(rows.get(0))
          .extracting(row -> row.getClass().getSimpleName())
          .containsExactly("Retained", "Deleted", "Deleted", "Retained");
      assertThat(rows.get(1)).hasOnlyElementsOfType(Retained.class);
      assertThat(storage.ids(FeatureQuery.from(foo))).containsExactly("c");
    }
  }

  @Test
  void anExpectedStateThatIsStillThereIsReplacedOrDeleted() {
    String foo = storage.small();
    Feature first = ((Created) write(foo, Write.create(feature("a", "t"))).get(0)).state();

    RowResult second = write(foo, Write.updateIfUnchanged(first)).get(0);
    assertThat(xyz(second).version()).isEqualTo(2);
    assertThat(write(foo, Write.updateIfUnchanged(first)).get(0)).isInstanceOf(Conflict.class);
    String uuid = xyz(second).uuid().orElseThrow();
    assertThat(write(foo, new Write.Delete("a", "wrong")).get(0)).isInstanceOf(Conflict.class);
    assertThat(write(foo, new Write.Purge("a", "wrong")).get(0)).isInstanceOf(Conflict.class);
    assertThat(write(foo, new Write.Purge("a", uuid)).get(0)).isInstanceOf(Purged.class);
    assertThat(write(foo, new Write.Delete("a", uuid)).get(0)).isInstanceOf(Retained.class);
  }

  @Test
  void c15TheLastStateIsToldAlsoWhereNoDeletionCopyIsKept() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned().purgingDeleted());
    write(foo, Write.create(feature("a", "t")));

    RowResult row = write(foo, Write.delete("a")).get(0);

    assertThat(psql.xyz(foo + "_del")).isEmpty();
    assertThat(psql.xyz(foo + "_hst").get(1).get("uuid").textValue())
        .isEqualTo(xyz(row).uuid().orElseThrow());
  }

  @Test
  void f8ThePrefixIsTakenOffIds() throws SQLException {
    String foo = storage.create(CollectionOptions.none().idPrefix("urn:x:"));

    assertThat(write(foo, Write.create(feature("urn:x:7", "t"))).get(0).id()).isEqualTo("7");
    assertThat(psql.value("SELECT jsondata->>'id' FROM " + foo)).isEqualTo("7");
    assertThat(write(foo, Write.create(feature("urn:x:", "t"))).get(0)).isInstanceOf(Invalid.class);
    assertThat(write(foo, Write.delete("urn:x:7")).get(0)).isInstanceOf(Deleted.class);
    assertThat(psql.xyz(foo)).isEmpty();
  }

  @Test
  void b1ToB5AFeatureIsMadeChangedDeletedAndMadeAgain() throws SQLException {
    String foo = storage.small();
    Feature sent =
        Feature.parse(
            "{\"id\": \"TheFeature\", \"properties\": {\"@ns:com:here:xyz\": {\"tags\":"
                + " [\"@:foo:world\"], \"uuid\": \"zzz\", \"txn\": 5, \"version\": 9}}}");
    String old = "SELECT 1 FROM %1$s_hst UNION ALL SELECT 1 FROM %1$s_del".formatted(foo);

    Xyz first = xyz(write(foo, Write.create(sent)).get(0));
    assertThat(first.action() + first.version()).isEqualTo("CREATE1");
    assertThat(first.tags()).containsExactly("@:foo:world");
    assertThat(first.appId() + first.author()).isEqualTo("app1alice");
    assertThat(first.puuid()).isEmpty();
    assertThat(first.createdAt()).isEqualTo(first.updatedAt());
    assertThat(Guid.parse(first.uuid().orElseThrow()).collection()).isEqualTo(foo);
    assertThat(first.txn().value()).isNotEqualTo(5);
    assertThat(psql.value("SELECT jsondata->>'type' FROM " + foo)).isEqualTo("Feature");
    assertThat(psql.values(old)).isEmpty();

    Feature bare = Feature.parse("{\"id\": \"TheFeature\"}");
    Xyz second = xyz(write(foo, Write.update(bare)).get(0));
    assertThat(second.action() + second.version()).isEqualTo("UPDATE2");
    assertThat(second.puuid()).isEqualTo(first.uuid());
    assertThat(second.createdAt()).isEqualTo(first.createdAt());
    assertThat(second.tags()).isEmpty();
    assertThat(psql.xyz(foo + "_hst")).hasSize(1);

    Xyz dead = xyz(write(foo, Write.delete("TheFeature")).get(0));
    assertThat(dead.action() + dead.version()).isEqualTo("DELETE3");
    assertThat(psql.xyz(foo)).isEmpty();
    assertThat(psql.xyz(foo + "_del")).hasSize(1);
    assertThat(psql.xyz(foo + "_hst")).hasSize(3);

    Xyz anew = xyz(write(foo, Write.create(sent)).get(0));
    assertThat(anew.action() + anew.version()).isEqualTo("CREATE1");
    assertThat(anew.puuid()).isEmpty();
    assertThat(anew.createdAt()).isEqualTo(anew.updatedAt());
    assertThat(psql.xyz(foo + "_del")).isEmpty();
    assertThat(psql.xyz(foo + "_hst")).hasSize(3);
  }

  @Test
  void b8B11WhoActsForNobodyKeepsTheAuthorOrBecomesItAndSomebodyActs() {
    String foo = storage.small();
    Xyz before = xyz(write(foo, Write.create(feature("a", "t"))).get(0));
    List<Write> writes = List.of(Write.update(feature("a", "t")), Write.create(feature("b", "t")));

    List<RowResult> rows = storage.features.write(Actor.app("app2"), foo, writes).rows();

    assertThat(xyz(rows.get(0)).author()).isEqualTo("alice");
    assertThat(xyz(rows.get(0)).json().get("author_ts")).isEqualTo(before.json().get("author_ts"));
    assertThat(xyz(rows.get(0)).appId()).isEqualTo("app2");
    assertThat(xyz(rows.get(1)).author()).isEqualTo("app2");
    assertThatThrownBy(() -> Actor.app("")).isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void b12B14WhatIsMissingIsAdded() throws SQLException {
    String foo = storage.small();

    List<RowResult> rows =
        write(
            foo,
            Write.create(Feature.parse("{}")),
            Write.create(
                Feature.parse("{\"geometry\": {\"type\": \"Point\", \"coordinates\": [5, 6]}}")));

    assertThat(rows.get(0).id()).isNotEmpty().isNotEqualTo(rows.get(1).id());
    assertThat(
            psql.values(
                "SELECT concat_ws(' ', jsondata->>'type', (jsondata->'properties') -"
                    + " '@ns:com:here:xyz', public.st_asewkt(geo)) FROM %s ORDER BY i"
                        .formatted(foo)))
        .containsExactlyInAnyOrder("Feature {}", "Feature {} SRID=4326;POINT(5 6 0)");
  }

  @Test
  void b18OnlyTagsAndCridAreTheClients() {
    String foo = storage.small();
    Feature sent =
        Feature.parse(
            "{\"id\": \"x\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [5, 6]},"
                + " \"properties\": {\"@ns:com:here:xyz\": {\"crid\": \"c1\", \"qrid\": \"q\","
                + " \"mrid\": \"m\", \"extend\": 7}}}");

    Xyz xyz = xyz(write(foo, Write.create(sent)).get(0));
    assertThat(xyz.json().get("crid").textValue()).isEqualTo("c1");
    assertThat(xyz.json().get("mrid").textValue()).isEqualTo("c1");
    assertThat(xyz.json().get("qrid").textValue()).isEqualTo("1200021112001310021112001310021");
    assertThat(xyz.json().get("extend").longValue()).isZero();

    Xyz next = xyz(write(foo, Write.update(feature("x", "t"))).get(0));
    assertThat(next.json().path("crid").isTextual()).isFalse();
    assertThat(next.json().get("mrid")).isEqualTo(xyz.json().get("qrid"));
  }

  @Test
  void b20WithoutHistoryOnlyTheDeletionCopyIsKept() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned());
    write(foo, Write.create(feature("a", "t")));
    storage.features.transact(ALICE, tx -> tx.collections().disableHistory(foo));
    write(foo, Write.update(feature("a", "u")));
    write(foo, Write.delete("a"));
    assertThat(psql.xyz(foo + "_hst")).isEmpty();
    assertThat(psql.xyz(foo + "_del")).hasSize(1);

    storage.features.transact(ALICE, tx -> tx.collections().enableHistory(foo));
    write(foo, Write.create(feature("a", "t")));
    write(foo, Write.update(feature("a", "u")));
    assertThat(psql.xyz(foo + "_hst")).hasSize(1);
  }

  @Test
  void onlyPointsAreTakenWhereOnlyPointsAreWanted() {
    String foo = storage.create(CollectionOptions.none().unpartitioned().pointsOnly());
    Feature line =
        Feature.parse(
            "{\"id\": \"l\", \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 1]]}}");

    List<RowResult> rows = write(foo, Write.create(line), Write.create(feature("p", "t")));

    assertThat(rows.get(0)).isInstanceOf(Invalid.class);
    assertThat(rows.get(1)).isInstanceOf(Created.class);
  }

  /** The same from Java as from plain SQL, but for the clock and the numbers of rows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\": \"x\"}",
        "{\"id\": \"x\", \"type\": \"Feature\", \"properties\": null, \"geometry\": null}",
        "{\"id\": \"x\", \"bbox\": [1, 2, 3, 4], \"properties\": {\"a\": 1.50, \"b\": 1e3, \"ü\": \"\\\"\"}}",
        "{\"id\": 7, \"properties\": {\"@ns:com:here:xyz\": {\"crid\": \"c\", \"tags\": [\"t\"], \"txn\": 3}}}",
        "{\"id\": \"x\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [13.37, 52.52]}}",
        "{\"id\": \"x\", \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[1, 2], [3.5, 5, 9]]}}",
        "{\"id\": \"x\", \"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [4, 0], [4, 4], [0, 0]],"
            + " [[1, 0.5], [2, 0.5], [2, 1], [1, 0.5]]]}}",
        "{\"id\": \"x\", \"geometry\": {\"type\": \"MultiPolygon\", \"coordinates\": [[[[0, 0], [4, 0], [4, 4], [0, 0]]]]}}",
        "{\"id\": \"x\", \"geometry\": {\"type\": \"MultiPoint\", \"coordinates\": [[1, 2], [3, 4]]}}",
        "{\"id\": \"x\", \"geometry\": {\"type\": \"MultiLineString\", \"coordinates\": [[[1, 2], [3, 4]]]}}",
        "{\"id\": \"x\", \"geometry\": {\"type\": \"GeometryCollection\", \"geometries\": [{\"type\": \"Point\","
            + " \"coordinates\": [1, 2]}, {\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4]]}]}}"
      })
  void javaAndSqlWriteTheSameRows(String json) throws SQLException {
    String java = storage.small();
    String plain = storage.small();
    Feature feature = Feature.parse(json);
    for (Actor actor : List.of(ALICE, Actor.app("app2"))) {
      storage.features.transact(actor, tx -> tx.write(java, List.of(Write.upsert(feature))));
      boolean first = actor.equals(ALICE);
      psql.as(
          actor.appId(),
          first ? "alice" : "null",
          (first
                  ? "INSERT INTO %s (jsondata, geo) VALUES ('%s', NULL)"
                  : "UPDATE %s SET jsondata = '%s', geo = NULL")
              .formatted(plain, json));
    }
    storage.features.transact(
        ALICE, tx -> tx.write(java, List.of(Write.delete(feature.id().orElseThrow()))));
    psql.as("app1", "alice", "DELETE FROM " + plain);

    assertThat(rows(java)).hasSize(4).isEqualTo(rows(plain));
  }

  private List<String> rows(String collection) throws SQLException {
    String blank =
        "regexp_replace(regexp_replace(jsondata::text, '(\"(txn|txn_next|rt_ts|createdAt|updatedAt|author_ts)\":"
            + " )[1-9]\\d+', '\\1N', 'g'), '(txn_uuid\": \"store:txn)[0-9:]+', '\\1', 'g')";
    return psql.values(
        "SELECT replace("
            + blank
            + ", '%1$s', 'C') || i || coalesce(st_asewkt(geo), '') FROM (SELECT * FROM"
                .formatted(collection)
            + " %1$s_hst UNION ALL SELECT * FROM %1$s_del) AS s ORDER BY i, 1"
                .formatted(collection));
  }

  /** As many statements for a thousand as for a hundred, and no sub-transaction for each. */
  @Test
  void b15AThousandFeaturesTakeAHandfulOfStatements() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    for (Function<String, Write> kind : KINDS) {
      Cost hundred = cost(foo, kind, 0, 100);
      Cost thousand = cost(foo, kind, 100, 1100);

      assertThat(thousand.statements()).isEqualTo(hundred.statements()).isBetween(1L, 6L);
      assertThat(hundred.xids()).isBetween(1L, MOST_XIDS);
      assertThat(thousand.xids()).isBetween(1L, MOST_XIDS);
    }

    assertThat(psql.number("SELECT count(*) FROM %s_hst".formatted(foo))).isEqualTo(4 * 1100);
    assertThat(
            psql.number("SELECT count(DISTINCT txn) FROM naksha_tx WHERE id = '%s'".formatted(foo)))
        .isEqualTo(1 + 2 * KINDS.size());
  }

  private record Cost(long statements, long xids) {}

  private Cost cost(String collection, Function<String, Write> kind, int from, int to)
      throws SQLException {
    List<Write> writes = IntStream.range(from, to).mapToObj(n -> kind.apply("f" + n)).toList();
    String next = "SELECT pg_snapshot_xmax(pg_current_snapshot())";
    long before = psql.number(next);
    try (Transaction tx = storage.features.begin(ALICE)) {
      long statements;
      try (DriverLog log = DriverLog.listen()) {
        assertThat(tx.write(collection, writes).done()).isTrue();
        statements = log.statements();
      }
      tx.commit();
      return new Cost(statements, psql.number(next) - before);
    }
  }

  @Test
  void theNameOfTheRequestIsKeptWithEachState() throws SQLException {
    String foo = storage.small();
    List<Write> writes =
        List.of(
            Write.create(feature("a", "t")), Write.update(feature("a", "t")), Write.delete("a"));

    for (Write write : writes) {
      storage.features.write(ALICE.in("request 7"), foo, List.of(write));
    }
    psql.run(
        "BEGIN",
        "SELECT naksha_tx_start('a', 'b', 'request 8')",
        "INSERT INTO %s (jsondata) VALUES ('{}')".formatted(foo),
        "COMMIT");
    storage.features.write(ALICE, foo, List.of(Write.create(feature("c", "t"))));

    assertThat(psql.xyz(foo + "_hst"))
        .extracting(x -> x.get("stream_id").textValue())
        .containsExactly("request 7", "request 7", "request 7");
    assertThat(psql.xyz(foo + "_del").get(0).get("stream_id").textValue()).isEqualTo("request 7");
    assertThat(psql.xyz(foo))
        .extracting(x -> x.get("stream_id").textValue())
        .containsExactlyInAnyOrder("request 8", null);
  }

  @Test
  void plainSqlInTheSameTransactionIsStampedByTheTrigger() throws SQLException {
    String foo = storage.small();
    psql.as(
        "a",
        "b",
        "SELECT set_config('naksha.prepared', 'on', true)",
        "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"x\"}')".formatted(foo),
        "UPDATE %s SET jsondata = jsondata".formatted(foo));

    assertThat(psql.xyz(foo).get(0).get("version").intValue()).isEqualTo(2);
  }

  @Test
  void aBatchLeavesTheSettingsOfItsTransactionAsTheyWere() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    String settings =
        "SELECT concat(current_setting('enable_seqscan'), current_setting('enable_hashjoin'),"
            + " current_setting('enable_mergejoin'), current_setting('naksha.prepared', true),"
            + " current_setting('naksha.removing', true), current_setting('naksha.removed', true))";
    psql.run("BEGIN", "SET LOCAL enable_hashjoin = off", "SELECT naksha_tx_start('a', 'b')");

    psql.run("SELECT %s_add('{7}', '{null}', '{\"{\\\"id\\\": \\\"x\\\"}\"}')".formatted(foo));
    String afterAdding = psql.value(settings);
    String removed = psql.value("SELECT %s_remove('{x,y}')".formatted(foo));
    String afterRemoving = psql.value(settings);
    psql.run("ROLLBACK");

    assertThat(removed).isEqualTo("{x}");
    assertThat(List.of(afterAdding, afterRemoving)).containsOnly("onoffon");
  }
}
