// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.RowResult.Created;
import io.tidemark.features.write.RowResult.Invalid;
import io.tidemark.features.write.Write;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored of features that are written from Java: cases B1 to B20 where Java can. */
class WrittenStatesTest extends WriteTestBase {

  @Test
  void b1ToB5AFeatureIsMadeChangedDeletedAndMadeAgain() throws SQLException {
    String foo = storage.small();
    Feature sent =
        Feature.parse(
            "{\"id\": \"TheFeature\", \"properties\": {\"@ns:com:here:xyz\": {\"tags\":"
                + " [\"@:foo:world\"], \"uuid\": \"zzz\", \"txn\": 5, \"version\": 9}}}");
    String old = "SELECT 1 FROM %1$s_hst UNION ALL SELECT 1 FROM %1$s_del".formatted(foo);

    XyzNamespace first = xyz(write(foo, Write.create(sent)).get(0));
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
    XyzNamespace second = xyz(write(foo, Write.update(bare)).get(0));
    assertThat(second.action() + second.version()).isEqualTo("UPDATE2");
    assertThat(second.puuid()).isEqualTo(first.uuid());
    assertThat(second.createdAt()).isEqualTo(first.createdAt());
    assertThat(second.tags()).isEmpty();
    assertThat(psql.xyz(foo + "_hst")).hasSize(1);

    XyzNamespace dead = xyz(write(foo, Write.delete("TheFeature")).get(0));
    assertThat(dead.action() + dead.version()).isEqualTo("DELETE3");
    assertThat(psql.xyz(foo)).isEmpty();
    assertThat(psql.xyz(foo + "_del")).hasSize(1);
    assertThat(psql.xyz(foo + "_hst")).hasSize(3);

    XyzNamespace anew = xyz(write(foo, Write.create(sent)).get(0));
    assertThat(anew.action() + anew.version()).isEqualTo("CREATE1");
    assertThat(anew.puuid()).isEmpty();
    assertThat(anew.createdAt()).isEqualTo(anew.updatedAt());
    assertThat(psql.xyz(foo + "_del")).isEmpty();
    assertThat(psql.xyz(foo + "_hst")).hasSize(3);
  }

  @Test
  void b8B11WhoActsForNobodyKeepsTheAuthorOrBecomesItAndSomebodyActs() {
    String foo = storage.small();
    XyzNamespace before = xyz(write(foo, Write.create(feature("a", "t"))).get(0));
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

    XyzNamespace xyzNamespace = xyz(write(foo, Write.create(sent)).get(0));
    assertThat(xyzNamespace.json().get("crid").textValue()).isEqualTo("c1");
    assertThat(xyzNamespace.json().get("mrid").textValue()).isEqualTo("c1");
    assertThat(xyzNamespace.json().get("qrid").textValue())
        .isEqualTo("1200021112001310021112001310021");
    assertThat(xyzNamespace.json().get("extend").longValue()).isZero();

    XyzNamespace next = xyz(write(foo, Write.update(feature("x", "t"))).get(0));
    assertThat(next.json().path("crid").isTextual()).isFalse();
    assertThat(next.json().get("mrid")).isEqualTo(xyzNamespace.json().get("qrid"));
  }

  @Test
  void b20WithoutHistoryOnlyTheDeletionCopyIsKept() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned());
    write(foo, Write.create(feature("a", "t")));
    storage.features.transact(
        ALICE, tx -> tx.collections().update(foo, CollectionOptions.none().withoutHistory()));
    write(foo, Write.update(feature("a", "u")));
    write(foo, Write.delete("a"));
    assertThat(psql.xyz(foo + "_hst")).isEmpty();
    assertThat(psql.xyz(foo + "_del")).hasSize(1);

    storage.features.transact(
        ALICE, tx -> tx.collections().update(foo, CollectionOptions.none().withHistory()));
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
}
