// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nobody should send: it is refused by name, or kept letter by letter. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputTest {

  /** Everything that means something to SQL, to our templates, or to a format. */
  private static final String NASTY =
      "'; DROP TABLE x; -- \" \\ \\' $$ $1 ? ?? :a ::text %s %1$s %% _ {} ${schema} @c@ @id@ /* \u00e4\ud83d\ude00 \n\t";

  private PostgresServer server;
  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer given) {
    server = given;
    storage = TestStorage.in(server);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  @Test
  void aGeometryWithTooManyPointsIsRefused() {
    String points = "[0,0],".repeat(1_000_000) + "[0,0]";

    assertThatThrownBy(
            () ->
                Feature.parse(
                    "{\"geometry\":{\"type\":\"LineString\",\"coordinates\":[" + points + "]}}"))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("more than 1000000 points");
  }

  @Test
  void jsonThatIsTooLongOrTooDeepIsRefused() {
    String longText = "{\"properties\":{\"x\":\"" + "a".repeat(16 << 20) + "\"}}";
    String deep = "{\"properties\":{\"x\":" + "[".repeat(100) + "]".repeat(100) + "}}";

    assertThatThrownBy(() -> Feature.parse(longText))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("characters; at most 16777216 are taken");
    assertThatThrownBy(() -> Feature.parse(deep))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("nesting depth");
  }

  @Test
  void jsonThatIsPutTogetherIsCheckedLikeText() {
    ObjectNode deep = JsonNodeFactory.instance.objectNode();
    ObjectNode in = deep;
    for (int depth = 1; depth <= 100; depth++) {
      in = in.putObject("properties");
    }
    ObjectNode nan = JsonNodeFactory.instance.objectNode();
    nan.putObject("properties").put("n", Double.NaN);
    ObjectNode nul = JsonNodeFactory.instance.objectNode().put("id", "a").put("x", "a\0b");

    assertThatThrownBy(() -> Feature.of(deep))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("nested more than 100 deep");
    assertThatThrownBy(() -> Feature.of(nan))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("JSON doesn't have");
    assertThatThrownBy(() -> Feature.of(nul))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("NUL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e1000", "123456e1000", "1e-1000", "-7e999999999", "0e1000"})
  void aNumberOfMoreThanAThousandDigitsIsRefused(String number) {
    assertThatThrownBy(() -> Feature.parse("{\"properties\":{\"n\":%s}}".formatted(number)))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("which has more than 1000 digits; give it as a text");
  }

  @Test
  void whatIsTakenCanBeReadAndSentAgainAsTheDatabaseWritesIt() throws SQLException {
    String foo = storage.small();
    storage.put(
        foo,
        "{\"id\":\"a\",\"properties\":{\"n\":[1e999,-1e-999,1.25e400,%s.5]}}"
            .formatted("9".repeat(998)));

    Feature found = storage.features.read(r -> r.byId(foo, "a")).orElseThrow();
    String written = storage.psql.value("SELECT jsondata::text FROM " + foo);
    assertThat(Feature.parse(written).data()).isEqualTo(found.data());
    assertThat(found.data().at("/properties/n/0").decimalValue()).isEqualByComparingTo("1e999");
    assertThat(found.data().at("/properties/n/1").decimalValue()).isEqualByComparingTo("-1e-999");
    assertThat(Feature.parse(found.geoJson()).id()).hasValue("a");
  }

  @Test
  void whatDoesNotFitIntoAKeyIsRefused() {
    String crid = "{\"properties\":{\"@ns:com:here:xyz\":{\"crid\":\"%s\"}}}";

    assertThat(Feature.parse(crid.formatted("c".repeat(500))).xyz()).isPresent();
    assertThatThrownBy(() -> Feature.parse(crid.formatted("c".repeat(501))))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessage("the crid has 501 characters; give at most 500");
    assertThatThrownBy(() -> Actor.app("a").by("b".repeat(501)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("the author 'bbb")
        .hasMessageContaining("has 501 characters; give at most 500");
    assertThatThrownBy(() -> Actor.app("a".repeat(501)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("the application id 'aaa");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "{}", "[1]"})
  void anIdIsATextOrANumber(String id) {
    assertThatThrownBy(() -> Feature.parse("{\"id\": %s}".formatted(id)))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("give a text or a number");
  }

  @Test
  void halfACharacterIsRefused() {
    assertThatThrownBy(() -> Feature.parse("{\"id\":\"a\\ud800\"}"))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("half a character");
    assertThat(Feature.parse("{\"id\":\"\\ud83d\\ude00\"}").id()).hasValue("\ud83d\ude00");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'; DROP TABLE naksha_tx; --",
        "a\"b",
        "a\\b",
        "a%s",
        "a$$",
        "a?",
        "a b",
        "a;b",
        "${schema}",
        "@c@",
        "ä",
        "pg_class",
        "naksha_tx"
      })
  void namesOfCollectionsThatMeanSomethingElseAreRefusedEverywhere(String name) {
    Features features = storage.features;
    List<Write> writes = List.of(Write.create(Feature.parse("{\"id\": \"x\"}")));

    assertThatThrownBy(
            () ->
                features.transact(
                    ALICE, tx -> tx.collections().create(name, CollectionOptions.none())))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> features.write(ALICE, name, writes))
        .isInstanceOf(CollectionNotFoundException.class)
        .hasMessageContaining("there is no collection '" + name + "'");
    assertThatThrownBy(() -> features.read(r -> r.byId(name, "x")))
        .isInstanceOf(CollectionNotFoundException.class);
    assertThatThrownBy(() -> features.read(r -> r.versions(name, "x")))
        .isInstanceOf(CollectionNotFoundException.class);
    assertThatThrownBy(
            () ->
                features.transact(
                    ALICE,
                    tx -> tx.collections().update(name, CollectionOptions.none().withHistory())))
        .isInstanceOf(CollectionNotFoundException.class);
  }

  @Test
  void valuesAreKeptLetterByLetter() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    String id = "id" + NASTY;
    ObjectNode sent = JsonNodeFactory.instance.objectNode().put("id", id);
    ObjectNode properties = sent.putObject("properties").put(NASTY, NASTY);
    ObjectNode xyz = properties.putObject("@ns:com:here:xyz").put("crid", NASTY);
    xyz.putArray("tags").add(NASTY);
    Actor actor = Actor.app("app" + NASTY).by("author" + NASTY);

    Features features = storage.features;
    features.transact(
        actor,
        tx -> {
          tx.message("message" + NASTY, NASTY, JsonNodeFactory.instance.textNode(NASTY).toString());
          return tx.write(foo, List.of(Write.upsert(Feature.parse(sent.toString()))));
        });
    BatchResult conflict =
        features.write(
            actor, foo, List.of(new Write.Update(Feature.parse(sent.toString()), NASTY)));
    Feature found = features.read(r -> r.byId(foo, id)).orElseThrow();
    BatchResult deleted = features.write(actor, foo, List.of(Write.delete(id)));

    assertThat(conflict.done()).isFalse();
    assertThat(found.id()).hasValue(id);
    assertThat(found.data().path("properties").path(NASTY).textValue()).isEqualTo(NASTY);
    assertThat(found.xyz().orElseThrow().tags()).containsExactly(NASTY);
    assertThat(found.xyz().orElseThrow().author()).isEqualTo("author" + NASTY);
    assertThat(found.xyz().orElseThrow().appId()).isEqualTo("app" + NASTY);
    assertThat(deleted.rows().get(0)).isInstanceOf(RowResult.Deleted.class);
    List<Feature> versions = features.read(r -> r.versions(foo, id));
    assertThat(versions).hasSize(2);
    assertThat(storage.psql.value("SELECT msg_text FROM naksha_tx WHERE action = 'MESSAGE'"))
        .isEqualTo(NASTY);
    assertThat(features.checker().check(foo).flaws()).isEmpty();
  }

  @Test
  void optionsOfACollectionAreKeptLetterByLetter() {
    String prefix = "urn:'$$@c@@id@%s\\\"${schema}:";
    String author = "O'Hara $$ @seq@ %L ${geo}";
    String foo =
        storage.create(CollectionOptions.none().unpartitioned().idPrefix(prefix).author(author));
    Feature sent =
        Feature.parse(JsonNodeFactory.instance.objectNode().put("id", prefix + "7").toString());

    storage.features.write(Actor.app("app"), foo, List.of(Write.create(sent)));

    Feature found = storage.features.read(r -> r.byId(foo, "7")).orElseThrow();
    assertThat(found.xyz().orElseThrow().author()).isEqualTo(author);
  }

  @Test
  void aNulIsRefusedWhereverItComes() {
    String foo = storage.small();
    Features features = storage.features;

    assertThat(features.write(ALICE, foo, List.of(Write.delete("a\0b"))).rows().get(0))
        .isInstanceOfSatisfying(
            RowResult.Invalid.class, row -> assertThat(row.message()).contains("NUL"));
    assertThatThrownBy(() -> features.read(r -> r.byId(foo, "a\0b")))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> features.read(r -> r.byId("a\0b", "x")))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> features.transact(Actor.app("a\0b"), Transaction::txn))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void halfACharacterNamesNoOtherFeature() {
    String foo = storage.small();
    storage.put(foo, "{\"id\": \"a?\"}");
    Features features = storage.features;
    String half = "a\ud800";

    for (Write write : List.of(Write.delete(half), Write.purge(half))) {
      assertThat(features.write(ALICE, foo, List.of(write)).rows().get(0))
          .isInstanceOfSatisfying(
              RowResult.Invalid.class,
              row -> assertThat(row.message()).contains("half a character"));
    }
    assertThatThrownBy(() -> features.read(r -> r.byIds(foo, List.of("b", half))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("half a character");
    FeatureQuery query = FeatureQuery.from(foo).ids(List.of(half)).build();
    assertThatThrownBy(() -> features.read(r -> r.query(query)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("half a character");
    assertThatThrownBy(() -> features.transact(Actor.app("a").by(half), Transaction::txn))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("half a character");
    assertThatThrownBy(() -> Feature.parse("{\"id\": \"b\"}").withTags(List.of("good", half)))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("a tag of feature 'b' has half a character");
    assertThat(storage.ids(FeatureQuery.from(foo))).containsExactly("a?");
  }

  @Test
  void oneRowThatIsInvalidUndoesTheWholeBatchAndIsNamed() throws SQLException {
    String foo = storage.small();
    Feature good = Feature.parse("{\"id\": \"good\"}");

    BatchResult result =
        storage.features.write(
            ALICE,
            foo,
            List.of(
                Write.create(good),
                Write.delete("b".repeat(256)),
                Write.update(Feature.parse("{}"))));

    assertThat(result.done()).isFalse();
    assertThat(result.rows().get(0)).isInstanceOf(RowResult.Created.class);
    assertThat(((RowResult.Invalid) result.rows().get(1)).message())
        .isEqualTo("the id has 256 characters, half a character or a NUL; give 1 to 255");
    assertThat(((RowResult.Invalid) result.rows().get(2)).message()).contains("has no id");
    assertThat(result.firstProblem()).hasValue(result.rows().get(1));
    assertThat(storage.psql.number("SELECT count(*) FROM " + foo)).isZero();
  }

  @Test
  void aDatabaseWithoutPostgisAndWithoutTheRightToInstallItIsToldSo() throws SQLException {
    storage.psql.run(
        "DROP DATABASE IF EXISTS without_postgis",
        "DROP ROLE IF EXISTS plain_owner",
        "CREATE ROLE plain_owner LOGIN PASSWORD 'p'",
        "CREATE DATABASE without_postgis OWNER plain_owner TEMPLATE template0");
    String url =
        storage.url.replaceAll("/[^/?]+\\?.*", "/without_postgis?user=plain_owner&password=p");

    assertThatThrownBy(() -> Features.open(url, "store"))
        .isInstanceOf(StorageUnusableException.class)
        .hasMessageContaining("permission denied to create extension \"postgis\"")
        .hasMessageContaining("grant the rights that are missing");
  }
}
