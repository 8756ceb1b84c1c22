// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.Txn;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What plain SQL on a collection leaves behind: cases B1 to B20, F1, F8 and E8. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TriggersTest {

  private static final String B1 =
      "INSERT INTO %1$s (jsondata, geo) VALUES ('{\"id\": \"TheFeature\", \"properties\":"
          + " {\"@ns:com:here:xyz\": {\"tags\": [\"@:foo:world\"], \"uuid\": \"zzz\", \"txn\": 5,"
          + " \"version\": 9}}}', 'SRID=4326;POINT Z(5 6 2)')";

  private static final String NEXT = "{properties,@ns:com:here:xyz,txn_next}";

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

  private String created(String shape) throws SQLException {
    CollectionOptions all = CollectionOptions.none();
    String foo = storage.create(shape.equals("one table") ? all.unpartitioned() : all);
    psql.as("app1", "alice", B1.formatted(foo));
    return foo;
  }

  @ParameterizedTest
  @ValueSource(strings = {"one table", "sixteen leaves"})
  void b1B2TheNamespaceOfANewFeatureIsOurs(String shape) throws SQLException {
    String foo = created(shape);

    JsonNode xyz = psql.xyz(foo).get(0);
    assertThat(xyz.get("action").textValue()).isEqualTo("CREATE");
    assertThat(xyz.get("version").intValue()).isEqualTo(1);
    assertThat(xyz.get("puuid").isNull()).isTrue();
    assertThat(xyz.get("txn_next").intValue()).isZero();
    assertThat(xyz.get("tags").toString()).isEqualTo("[\"@:foo:world\"]");
    assertThat(xyz.get("app_id").textValue()).isEqualTo("app1");
    assertThat(xyz.get("author").textValue()).isEqualTo("alice");
    assertThat(xyz.get("createdAt"))
        .isEqualTo(xyz.get("updatedAt"))
        .isEqualTo(xyz.get("author_ts"));
    Txn txn = new Txn(xyz.get("txn").longValue());
    assertThat(Guid.parse(xyz.get("uuid").textValue()))
        .isEqualTo(new Guid("store", foo, txn.day(), 1));
    assertThat(Guid.parse(xyz.get("txn_uuid").textValue()))
        .isEqualTo(new Guid("store", "txn", txn.day(), txn.sequence()));
    assertThat(xyz.get("qrid").textValue()).isEqualTo("1200021112001310021112001310021");
    assertThat(xyz.get("mrid")).isEqualTo(xyz.get("qrid"));
    assertThat(psql.value("SELECT jsondata->>'type' FROM " + foo)).isEqualTo("Feature");
    assertThat(
            psql.values("SELECT 1 FROM %1$s_hst UNION ALL SELECT 1 FROM %1$s_del".formatted(foo)))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"one table", "sixteen leaves"})
  void b3ToB5AFeatureIsChangedDeletedAndMadeAgain(String shape) throws SQLException {
    String foo = created(shape);
    JsonNode first = psql.xyz(foo).get(0);
    String row = "SELECT i || st_asewkt(geo) || (jsondata #- '%s')::text FROM ".formatted(NEXT);
    String before = psql.value(row + foo);

    long changed =
        started(
            "app1", "bob", "UPDATE %s SET jsondata = '{\"id\": \"TheFeature\"}'".formatted(foo));
    JsonNode second = psql.xyz(foo).get(0);
    assertThat(second.get("updatedAt").longValue()).isEqualTo(changed);
    assertThat(psql.values(row + foo + "_hst")).containsExactly(before);
    assertThat(second.get("version").intValue()).isEqualTo(2);
    assertThat(second.get("action").textValue()).isEqualTo("UPDATE");
    assertThat(second.get("puuid")).isEqualTo(first.get("uuid"));
    assertThat(second.get("createdAt")).isEqualTo(first.get("createdAt"));
    assertThat(second.get("tags").toString()).isEqualTo("[]");
    assertThat(second.get("author").textValue()).isEqualTo("bob");
    assertThat(psql.xyz(foo + "_hst")).hasSize(1);
    assertThat(closed(first, second)).isEqualTo(psql.xyz(foo + "_hst").get(0));

    psql.as("app2", "null", "DELETE FROM " + foo);
    assertThat(psql.xyz(foo)).isEmpty();
    List<JsonNode> history = psql.xyz(foo + "_hst");
    JsonNode dead = psql.xyz(foo + "_del").get(0);
    assertThat(history).hasSize(3);
    assertThat(history.get(1)).isEqualTo(closed(second, dead));
    assertThat(history.get(2)).isEqualTo(closed(dead, dead));
    assertThat(dead.get("action").textValue()).isEqualTo("DELETE");
    assertThat(dead.get("version").intValue()).isEqualTo(3);
    assertThat(dead.get("author").textValue()).isEqualTo("bob");
    assertThat(dead.get("app_id").textValue()).isEqualTo("app2");
    assertThat(dead.get("puuid")).isEqualTo(second.get("uuid"));
    assertThat(
            psql.value(
                "SELECT h.i = d.i AND h.geo = d.geo FROM %1$s_hst h, %1$s_del d ORDER BY h.i DESC"
                    .formatted(foo)))
        .isEqualTo("t");

    long again = started("app1", "alice", B1.formatted(foo));
    JsonNode anew = psql.xyz(foo).get(0);
    assertThat(psql.xyz(foo + "_del")).isEmpty();
    assertThat(psql.xyz(foo + "_hst")).hasSize(3);
    assertThat(anew.get("version").intValue()).isEqualTo(1);
    assertThat(anew.get("puuid").isNull()).isTrue();
    assertThat(anew.get("createdAt").longValue())
        .isEqualTo(again)
        .isGreaterThan(first.get("createdAt").longValue());
  }

  /** Does something in a transaction of its own, and tells when that began. */
  private long started(String app, String author, String sql) throws SQLException {
    psql.run("BEGIN", "SELECT naksha_tx_start('%s', '%s')".formatted(app, author), sql);
    long began = psql.began();
    psql.run("COMMIT");
    return began;
  }

  private static JsonNode closed(JsonNode state, JsonNode next) {
    return ((ObjectNode) state.deepCopy()).set("txn_next", next.get("txn"));
  }

  @Test
  void b8WhoActsForNobodyKeepsTheAuthorOrBecomesIt() throws SQLException {
    String foo = created("one table");
    JsonNode before = psql.xyz(foo).get(0);

    psql.as("app2", "null", "UPDATE %s SET jsondata = jsondata".formatted(foo));
    psql.as("app2", "null", "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"x\"}')".formatted(foo));

    List<JsonNode> after = psql.xyz(foo);
    assertThat(after.get(0).get("author").textValue()).isEqualTo("alice");
    assertThat(after.get(0).get("author_ts")).isEqualTo(before.get("author_ts"));
    assertThat(after.get(0).get("app_id").textValue()).isEqualTo("app2");
    assertThat(after.get(1).get("author").textValue()).isEqualTo("app2");
  }

  @Test
  void theAuthorOfTheCollectionComesBeforeTheApplication() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned().author("d'@author@ \\ x"));

    psql.as("app2", "null", "INSERT INTO %s (jsondata) VALUES ('{}')".formatted(foo));

    assertThat(psql.xyz(foo).get(0).get("author").textValue()).isEqualTo("d'@author@ \\ x");
  }

  @Test
  void b10B11NobodyWritesWithoutSayingWho() throws SQLException {
    String foo = storage.small();

    state("N0000", () -> psql.run("INSERT INTO %s (jsondata) VALUES ('{}')".formatted(foo)));
    for (String change :
        List.of(
            "create('who')", "update('%s', '{\"maxAge\": 1}')", "delete('%s')", "purge('%s')")) {
      String function = "SELECT naksha_collection_" + change.formatted(foo);
      state("N0000", () -> psql.run(function));
    }
    assertThat(psql.number("SELECT count(*) FROM pg_class WHERE relname = 'who'")).isZero();
    state("22023", () -> psql.run("SELECT naksha_tx_start(NULL, 'x')"));
    state("22023", () -> psql.run("SELECT naksha_tx_start('', 'x')"));
    assertThat(psql.xyz(foo)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"one table", "sixteen leaves"})
  void b12ToB14WhatIsMissingIsAdded(String shape) throws SQLException {
    String foo = created(shape);

    psql.as("a", "b", "INSERT INTO %s (jsondata, geo) VALUES ('{}', 'POINT(5 6)')".formatted(foo));
    String row = "SELECT %s FROM " + foo + " WHERE jsondata->>'id' <> 'TheFeature'";
    assertThat(psql.value(row.formatted("jsondata->>'id'"))).matches("[0-9a-f]{32}");
    assertThat(psql.value(row.formatted("jsondata->>'type'"))).isEqualTo("Feature");
    assertThat(psql.value(row.formatted("jsondata->'properties'->'@ns:com:here:xyz'->>'uuid'")))
        .startsWith("store:" + foo + ":");
    assertThat(psql.value(row.formatted("(jsondata->'properties') - '@ns:com:here:xyz'")))
        .isEqualTo("{}");
    assertThat(psql.value(row.formatted("public.st_asewkt(geo)")))
        .isEqualTo("SRID=4326;POINT(5 6 0)");

    psql.as(
        "a",
        "b",
        "UPDATE %s SET jsondata = '[1]' WHERE jsondata->>'id' = 'TheFeature'".formatted(foo));
    assertThat(psql.values("SELECT jsondata->>'id' FROM " + foo)).contains("TheFeature");
  }

  @Test
  void b15OneStatementForAThousandFeaturesIsOneTransaction() throws SQLException {
    String foo = storage.create(CollectionOptions.none());

    psql.as(
        "a",
        "b",
        "INSERT INTO %s (jsondata, geo) SELECT jsonb_build_object('id', n), 'POINT(5 6)'"
                .formatted(foo)
            + " FROM generate_series(1, 1000) AS n");

    String xyz = "jsondata->'properties'->'@ns:com:here:xyz'->>";
    assertThat(
            psql.value(
                "SELECT count(*) || ' ' || count(DISTINCT %1$s'txn') || ' ' || count(DISTINCT"
                        .formatted(xyz)
                    + " %1$s'updatedAt') || ' ' || count(DISTINCT %1$s'uuid') FROM %2$s"
                        .formatted(xyz, foo)))
        .isEqualTo("1000 1 1 1000");
    assertThat(
            psql.number(
                "SELECT count(*) FROM naksha_tx WHERE id = '%s' AND action =".formatted(foo)
                    + " 'MODIFY_FEATURES'"))
        .isEqualTo(1);
  }

  @Test
  void b17ALeafBehavesLikeTheWhole() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    String digit = psql.value("SELECT left(md5('TheFeature'), 1)");
    String leaf = foo + "_" + digit;

    psql.as("app1", "alice", B1.formatted(leaf));
    psql.as("app1", "alice", "UPDATE %s SET jsondata = jsondata".formatted(leaf));
    psql.as("app1", "alice", "DELETE FROM " + leaf);

    assertThat(psql.xyz(foo + "_hst"))
        .extracting(x -> x.get("version").intValue())
        .containsExactly(1, 2, 3);
    assertThat(psql.xyz(foo + "_del")).hasSize(1);
    assertThat(Guid.parse(psql.xyz(foo + "_del").get(0).get("uuid").textValue()).collection())
        .isEqualTo(foo);
    String wrong = foo + "_" + (digit.equals("0") ? "1" : "0");
    state("23514", () -> psql.as("app1", "alice", B1.formatted(wrong)));
  }

  @Test
  void b18OnlyTagsAndCridAreTheClients() throws SQLException {
    String foo = storage.small();

    psql.as(
        "a",
        "b",
        ("INSERT INTO %s (jsondata, geo) VALUES ('{\"id\": \"x\", \"properties\":"
                + " {\"@ns:com:here:xyz\": {\"crid\": \"c1\", \"qrid\": \"q\", \"mrid\": \"m\", \"extend\": 7,"
                + " \"tags\": 5}}}', 'LINESTRING(0 0, 1 0.5)')")
            .formatted(foo));
    JsonNode xyz = psql.xyz(foo).get(0);
    assertThat(xyz.get("crid").textValue()).isEqualTo("c1");
    assertThat(xyz.get("mrid").textValue()).isEqualTo("c1");
    assertThat(xyz.get("qrid").textValue()).hasSize(31);
    assertThat(xyz.get("extend").longValue()).isEqualTo(3_600_000);
    assertThat(xyz.get("tags").toString()).isEqualTo("[]");

    psql.as("a", "b", "UPDATE %s SET jsondata = '{}'".formatted(foo));
    assertThat(psql.xyz(foo).get(0).get("crid").isNull()).isTrue();
    assertThat(psql.xyz(foo).get(0).get("mrid")).isEqualTo(xyz.get("qrid"));
  }

  @Test
  void b19ADuplicateIsRefusedAndTheTransactionGoesOnFromItsSavepoint() throws SQLException {
    String foo = created("sixteen leaves");

    psql.run("BEGIN", "SELECT naksha_tx_start('a', 'b')", "SAVEPOINT s");
    state("23505", () -> psql.run(B1.formatted(foo)));
    psql.run("ROLLBACK TO s", B1.formatted(foo).replace("TheFeature", "Other"), "COMMIT");

    assertThat(psql.xyz(foo)).hasSize(2);
  }

  @Test
  void b20WithoutHistoryOnlyTheDeletionCopyIsKept() throws SQLException {
    String foo = created("one table");
    psql.as("a", "b", "SELECT naksha_collection_disable_history('%s')".formatted(foo));
    psql.as("a", "b", "UPDATE %s SET jsondata = jsondata".formatted(foo));
    psql.as("a", "b", "DELETE FROM " + foo);
    assertThat(psql.xyz(foo + "_hst")).isEmpty();
    assertThat(psql.xyz(foo + "_del")).hasSize(1);

    psql.as(
        "a",
        "b",
        "SELECT naksha_collection_enable_history('%s')".formatted(foo),
        B1.formatted(foo));
    psql.as("a", "b", "UPDATE %s SET jsondata = jsondata".formatted(foo));
    assertThat(psql.xyz(foo + "_hst")).hasSize(1);
  }

  @Test
  void twoChangesInOneTransactionLeaveAStateOfNoLength() throws SQLException {
    String foo = created("one table");
    String change = "UPDATE %s SET jsondata = jsondata".formatted(foo);

    psql.as("a", "b", change, change);

    List<JsonNode> history = psql.xyz(foo + "_hst");
    assertThat(history).hasSize(2);
    assertThat(history.get(1).get("txn")).isEqualTo(history.get(1).get("txn_next"));
  }

  @Test
  void c15DeletedFeaturesAreOnlyInTheHistoryWhenTheyArePurgedAtOnce() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned().purgingDeleted());
    psql.as("app1", "alice", B1.formatted(foo));

    psql.as("app1", "alice", "DELETE FROM " + foo);

    assertThat(psql.xyz(foo + "_del")).isEmpty();
    assertThat(psql.xyz(foo + "_hst"))
        .extracting(x -> x.get("action").textValue())
        .containsExactly("CREATE", "DELETE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"one table", "sixteen leaves"})
  void f8ThePrefixIsTakenOffIds(String shape) throws SQLException {
    CollectionOptions options = CollectionOptions.none().idPrefix("urn:@id@:");
    String foo = storage.create(shape.equals("one table") ? options.unpartitioned() : options);

    for (int n = 0; n < 4; n++) {
      psql.as(
          "a",
          "b",
          "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"urn:@id@:%d\"}')".formatted(foo, n));
    }
    psql.as(
        "a",
        "b",
        "UPDATE %s SET jsondata = '{\"id\": \"urn:@id@:2\"}' WHERE jsondata->>'id' = '2'"
            .formatted(foo));

    assertThat(psql.values("SELECT jsondata->>'id' FROM " + foo))
        .containsExactlyInAnyOrder("0", "1", "2", "3");
    state(
        "22023",
        () ->
            psql.as(
                "a",
                "b",
                "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"urn:@id@:\"}')".formatted(foo)));
    state(
        "22023",
        () -> psql.as("a", "b", "UPDATE %s SET jsondata = '{\"id\": \"5\"}'".formatted(foo)));
  }

  @Test
  void f1QuadkeysOfPlaces() throws SQLException {
    assertThat(
            psql.values(
                "SELECT naksha_qrid(g) FROM (VALUES (1, 'SRID=4326;POINT(13.37 52.52)'),"
                    + " (2, 'SRID=4326;POINT(5 6)'), (3, NULL), (4, 'SRID=4326;POINT(180 90)'), (5, 'POINT EMPTY'))"
                    + " AS v(n, t), LATERAL (SELECT t::geometry AS g) AS c ORDER BY n"))
        .containsExactly(
            "1220120312022001333231130230122",
            "1200021112001310021112001310021",
            "1200000000000000000000000000000",
            "1333333333333333333333333333333",
            "1200000000000000000000000000000");
  }

  @Test
  void aGeometryInTheFeatureBecomesItsGeometry() throws SQLException {
    String foo = storage.small();

    psql.as(
        "a",
        "b",
        ("INSERT INTO %s (jsondata) VALUES ('{\"id\": \"x\", \"geometry\":"
                + " {\"type\": \"Point\", \"coordinates\": [1, 2]}}')")
            .formatted(foo));

    assertThat(psql.value("SELECT st_asewkt(geo) || ' ' || (jsondata ? 'geometry') FROM " + foo))
        .isEqualTo("SRID=4326;POINT(1 2 0) false");
    state(
        "22023",
        () ->
            psql.as(
                "a",
                "b",
                "INSERT INTO %s (jsondata, geo) VALUES ('{}', 'SRID=3857;POINT(1 2)')"
                    .formatted(foo)));
  }

  @Test
  void onlyPointsAreTakenWhereOnlyPointsAreWanted() throws SQLException {
    String foo = storage.create(CollectionOptions.none().pointsOnly());

    psql.as("a", "b", "INSERT INTO %s (jsondata, geo) VALUES ('{}', 'POINT(1 2)')".formatted(foo));
    state(
        "23514",
        () ->
            psql.as(
                "a",
                "b",
                "INSERT INTO %s (jsondata, geo) VALUES ('{}', 'LINESTRING(1 2, 3 4)')"
                    .formatted(foo)));
  }

  @Test
  void aFeatureFromElsewhereWithoutANamespaceCanBeChangedAndDeleted() throws SQLException {
    String foo = storage.small();
    psql.run(
        "ALTER TABLE %s DISABLE TRIGGER ALL".formatted(foo),
        "ALTER TABLE %s DROP CONSTRAINT head_is_current".formatted(foo),
        "INSERT INTO %s (i, jsondata) VALUES (-1, '{\"id\": \"a\", \"properties\": {}}')"
            .formatted(foo),
        "ALTER TABLE %s ENABLE TRIGGER ALL".formatted(foo));

    psql.run("BEGIN", "SELECT naksha_tx_start('app', NULL)");
    List<String> warnings =
        psql.warnings("UPDATE %s SET jsondata = jsondata WHERE i = -1".formatted(foo));
    long began = psql.began();
    psql.run("COMMIT");

    assertThat(warnings)
        .containsExactly(
            "the old state has no createdAt that is a number; %d is taken".formatted(began),
            "the old state has no version that is a number; 0 is taken",
            "the old state of feature 'a' has no uuid");
    JsonNode xyz = psql.xyz(foo).get(0);
    assertThat(xyz.get("version").intValue()).isEqualTo(1);
    assertThat(xyz.get("createdAt")).isEqualTo(xyz.get("updatedAt"));
    assertThat(xyz.get("puuid").isNull()).isTrue();
    assertThat(xyz.get("author").textValue()).isEqualTo("app");
    assertThat(psql.xyz(foo + "_hst").get(0).get("txn_next")).isEqualTo(xyz.get("txn"));

    psql.run(
        "ALTER TABLE %s DISABLE TRIGGER ALL".formatted(foo),
        "UPDATE %s SET jsondata = '{\"id\": \"a\"}'".formatted(foo),
        "ALTER TABLE %s ENABLE TRIGGER ALL".formatted(foo));
    psql.as("app", "bob", "DELETE FROM " + foo);
    assertThat(psql.xyz(foo + "_del").get(0).get("version").intValue()).isEqualTo(1);
    assertThat(psql.xyz(foo + "_hst")).hasSize(3);
  }

  private static void state(String expected, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(expected));
  }
}
