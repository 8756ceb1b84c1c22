// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.activity.Activity;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.Feature;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.RowResult;
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

/** Plain SQL is refused what the API refuses. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainSqlLimitsTest {

  private TestStorage storage;
  private String foo;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    foo = storage.small();
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private void insert(String json, String geo) throws SQLException {
    insert(foo, json, geo);
  }

  private void insert(String collection, String json, String geo) throws SQLException {
    storage.psql.as(
        "app1",
        "alice",
        "INSERT INTO %s (jsondata, geo) VALUES (%s, %s)".formatted(collection, json, geo));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ST_Point(180.1, 0)",
        "ST_Point(0, -90.1)",
        "ST_Point('NaN', 0)",
        "ST_Point(0, 'Infinity')",
        "ST_MakePoint(0, 0, 'NaN')",
        "ST_MakePoint(0, 0, '-Infinity')",
        "ST_GeomFromText('LINESTRING(0 0, 181 0)')",
        "ST_MakeLine(ARRAY[ST_Point(0, 0), ST_Point('NaN', 1), ST_Point(2, 2)])",
        "ST_Collect(ARRAY[ST_Point(0, 0), ST_Point(1, 'NaN'), ST_Point(2, 2)])",
        "ST_Collect(ST_MakeLine(ST_Point(0, 0), ST_Point(1, 1)), ST_Point(1, 91))"
      })
  void coordinatesThatAreBeyondTheWorldAreRefused(String geo) {
    assertThatThrownBy(() -> insert("'{\"id\": \"far\"}'", geo))
        .hasMessageContaining("the geometry of feature 'far' is beyond the world: ")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CIRCULARSTRING(0 0, 1 1, 2 0)",
        "COMPOUNDCURVE(CIRCULARSTRING(0 0, 1 1, 2 0), (2 0, 3 0))",
        "CURVEPOLYGON(CIRCULARSTRING(0 0, 2 0, 2 1, 2 3, 0 0))",
        "MULTICURVE((0 0, 5 5), CIRCULARSTRING(4 0, 4 4, 8 4))",
        "MULTISURFACE(CURVEPOLYGON(CIRCULARSTRING(0 0, 2 0, 2 1, 2 3, 0 0)))",
        "TRIANGLE((0 0, 0 9, 9 0, 0 0))",
        "TIN(((0 0 0, 0 0 1, 0 1 0, 0 0 0)))",
        "POLYHEDRALSURFACE(((0 0 0, 0 1 0, 1 1 0, 0 0 0)))",
        "GEOMETRYCOLLECTION(POINT(1 1), CIRCULARSTRING(0 0, 1 1, 2 0))",
        "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(TRIANGLE((0 0, 0 9, 9 0, 0 0))))"
      })
  void geometriesThatGeoJsonDoesNotKnowAreRefused(String wkt) {
    assertThatThrownBy(() -> insert("'{\"id\": \"c\"}'", "'%s'".formatted(wkt)))
        .hasMessageContaining("the geometry of feature 'c' is or has a part that GeoJSON")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"type\": \"Cube\", \"coordinates\": [1, 2]}",
        "{\"type\": \"Point\"}",
        "{\"type\": \"Point\", \"coordinates\": \"here\"}",
        "{\"type\": \"LineString\", \"coordinates\": [[1, 2], \"x\"]}",
        "{\"type\": \"Polygon\", \"coordinates\": [1, 2]}"
      })
  void whatIsNoGeoJsonIsRefusedWithItsFeature(String geometry) {
    assertThatThrownBy(
            () -> insert("'{\"id\": \"g\", \"geometry\": %s}'".formatted(geometry), "NULL"))
        .hasMessageContaining("the geometry of feature 'g' is no GeoJSON: ")
        .hasMessageContaining("it looks like {\"type\": \"Point\"")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
  }

  @Test
  void morePointsThanTheApiTakesAreRefused() {
    assertThatThrownBy(
            () ->
                insert(
                    "'{\"id\": \"p\"}'",
                    "ST_GeomFromText('LINESTRING(' || repeat('1 1,', 1000000) || '2 2)')"))
        .hasMessageContaining("the geometry of feature 'p' has 1000001 points")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
  }

  @Test
  void aLongerFeatureThanTheApiTakesIsRefused() {
    assertThatThrownBy(
            () ->
                insert(
                    "jsonb_build_object('id', 'l', 'properties', jsonb_build_object('p',"
                        + " repeat('x', 1 << 24)))",
                    "NULL"))
        .hasMessageContaining("feature 'l' has 16777")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
  }

  @Test
  void aCurveThatCamePastTheTriggersIsNamedToWhoReadsIt() throws SQLException {
    String bar = storage.small();
    insert(bar, "'{\"id\": \"c\"}'", "'POINT(1 1)'");
    storage.psql.run(
        "SET session_replication_role = replica",
        "UPDATE %s SET geo = 'SRID=4326;CIRCULARSTRING Z (0 0 0, 1 1 0, 2 0 0)'".formatted(bar),
        "RESET session_replication_role");

    Feature found = storage.features.read(r -> r.byId(bar, "c")).orElseThrow();
    assertThatThrownBy(found::geoJson)
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("of type 8 in WKB, which GeoJSON doesn't know");
  }

  @Test
  void theEdgesOfTheWorldAreTaken() throws SQLException {
    insert("'{\"id\": \"w\"}'", "ST_MakeEnvelope(-180, -90, 180, 90, 4326)");
    insert("'{\"id\": \"e\"}'", "'POINT EMPTY'");
    insert("'{\"id\": \"m\"}'", "'MULTIPOINT(180 90, -180 -90)'");
    insert("'{\"id\": \"g\"}'", "'GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(0 0, 1 1))'");
    assertThat(storage.psql.number("SELECT count(*) FROM %s WHERE NOT geo IS NULL".formatted(foo)))
        .isEqualTo(4);
  }

  /** In Java each of these characters is two. */
  @Test
  void charactersAreCountedAlikeInJava() throws SQLException {
    String c = storage.create(CollectionOptions.none());
    Actor long500 = Actor.app("\ud83c\udf0a".repeat(500)).by("\ud83c\udf0a".repeat(500));
    for (int length : List.of(200, 255)) {
      String id = "\ud83c\udf0a".repeat(length);
      insert(c, "jsonb_build_object('id', repeat('\ud83c\udf0a', %d))".formatted(length), "NULL");

      Feature read = storage.features.read(r -> r.byId(c, id)).orElseThrow();
      Feature sent = Feature.parse(read.geoJson());
      Feature named =
          Feature.parse(
              "{\"id\": \"%s\", \"properties\": {\"@ns:com:here:xyz\": {\"crid\": \"%s\"}}}"
                  .formatted(id, "\ud83c\udf0a".repeat(500)));
      assertThat(
              storage.features.write(
                  long500,
                  c,
                  List.of(Write.updateIfUnchanged(sent), Write.upsert(named), Write.delete(id))))
          .matches(BatchResult::done);
    }
    String tooLong = "\ud83c\udf0a".repeat(256);
    assertThatThrownBy(() -> insert(c, "jsonb_build_object('id', '%s')".formatted(tooLong), "NULL"))
        .hasMessageContaining("has 256 characters");
    assertThat(storage.features.write(long500, c, List.of(Write.delete(tooLong))).rows().get(0))
        .isInstanceOf(RowResult.Invalid.class);
    assertThatThrownBy(() -> Feature.parse("{\"id\": \"%s\"}".formatted(tooLong)))
        .hasMessageContaining("an id of 256 characters");
    assertThatThrownBy(() -> Actor.app("\ud83c\udf0a".repeat(501)))
        .hasMessageContaining("has 501 characters");
  }

  @Test
  void anIdOfMoreThan255CharactersIsRefused() throws SQLException {
    insert("jsonb_build_object('id', repeat('\u00e4', 255))", "NULL");
    assertThatThrownBy(() -> insert("jsonb_build_object('id', repeat('a', 256))", "NULL"))
        .hasMessageContaining("the id 'aaaa")
        .hasMessageContaining("has 256 characters")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
  }

  @Test
  void whatDoesNotFitIntoAKeyIsRefused() throws SQLException {
    String crid =
        "jsonb_build_object('id', 'k%1$d', 'properties', jsonb_build_object('@ns:com:here:xyz',"
            + " jsonb_build_object('crid', repeat('\u20ac', %1$d))))";
    insert(crid.formatted(500), "NULL");
    assertThatThrownBy(() -> insert(crid.formatted(501), "NULL"))
        .hasMessageContaining("the crid of feature 'k501' has 501 characters")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
    for (String statement :
        List.of(
            "SELECT naksha_tx_start('app', repeat('a', 501))",
            "SELECT naksha_tx_start(repeat('a', 501), NULL)",
            "SELECT naksha_tx_message(repeat('a', 501), 'text')")) {
      assertThatThrownBy(() -> storage.psql.as("app1", "alice", statement))
          .hasMessageContaining("more than 500 characters")
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("22023");
    }
  }

  @Test
  void anIdIsATextOrANumberAsInJava() throws SQLException {
    String bar = storage.small();
    for (String id : List.of("true", "{\"a\": 1}", "[]")) {
      assertThatThrownBy(() -> insert(bar, "'{\"id\": %s}'".formatted(id), "NULL"))
          .hasMessageContaining("the id of a feature is ")
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("22023");
    }
    List<String> numbers = List.of("1e2", "2.50", "3e-7", "12345678901234567890");
    for (String number : numbers) {
      insert(bar, "'{\"id\": %s}'".formatted(number), "NULL");
    }
    assertThat(storage.ids(FeatureQuery.from(bar)))
        .containsExactlyInAnyOrder("100", "2.50", "0.0000003", "12345678901234567890")
        .containsExactlyInAnyOrderElementsOf(
            numbers.stream()
                .map(number -> Feature.parse("{\"id\": %s}".formatted(number)).id().orElseThrow())
                .toList());
  }

  @Test
  void aGeometryInTheJsonThatIsNotTakenIsToldOf() throws SQLException {
    String bar = storage.small();
    insert(bar, "'{\"id\": \"g\"}'", "'POINT(1 2)'");
    String update =
        "UPDATE %s SET jsondata = jsondata || '{\"geometry\": {\"type\": \"Point\","
            + " \"coordinates\": [3, 4]}}'%s";
    storage.psql.run("BEGIN", "SELECT naksha_tx_start('app1', 'alice')");
    assertThat(storage.psql.warnings(update.formatted(bar, "")))
        .containsExactly("the geometry in the JSON of feature 'g' isn't taken");
    assertThat(storage.psql.warnings(update.formatted(bar, ", geo = NULL"))).isEmpty();
    assertThat(storage.psql.value("SELECT ST_AsText(ST_Force2D(geo)) FROM " + bar))
        .isEqualTo("POINT(3 4)");
    storage.psql.run("ROLLBACK");
  }

  @Test
  void onlyFeaturesAreTaken() throws SQLException {
    assertThatThrownBy(() -> insert("'{\"id\": \"t\", \"type\": \"Topology\"}'", "NULL"))
        .hasMessageContaining("feature 't' has the type \"Topology\"")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
    insert("'{\"id\": \"n\", \"type\": 7, \"properties\": {}}'", "NULL");
    insert("'{\"id\": \"o\"}'", "NULL");
    assertThat(
            storage.psql.values(
                "SELECT DISTINCT jsondata->>'type' FROM %s WHERE jsondata->>'id' IN ('n', 'o')"
                    .formatted(foo)))
        .containsExactly("Feature");
  }

  @Test
  void whatIsNestedTooDeepIsRefused() throws SQLException {
    insert(nested("d100", 99), "NULL");
    assertThatThrownBy(() -> insert(nested("d101", 100), "NULL"))
        .hasMessageContaining("feature 'd101' is nested more than 100 deep")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
    assertThat(storage.ids(FeatureQuery.from(foo).ids(List.of("d100", "d101"))))
        .containsExactly("d100");
  }

  @Test
  void whateverIsTakenOrCameAnotherWayIsRead() throws SQLException {
    String bar = storage.small();
    insert(bar, nested("deep", 99), "NULL");
    insert(bar, "('{\"id\": \"digits\", \"n\": ' || repeat('7', 2000) || '}')::jsonb", "NULL");
    insert(bar, "jsonb_build_object('id', 'name', repeat('n', 60000), 1)", "NULL");
    storage.psql.run(
        "SET session_replication_role = replica",
        "INSERT INTO %s (i, jsondata) SELECT -1, jsondata || %s FROM %s"
                .formatted(bar, nested("past", 800), bar)
            + " WHERE jsondata->>'id' = 'deep'",
        "RESET session_replication_role");

    assertThat(storage.ids(FeatureQuery.from(bar)))
        .containsExactlyInAnyOrder("deep", "digits", "name", "past");
    List<Activity> done = storage.features.read(r -> r.activity(bar, "digits"));
    assertThat(done).hasSize(1);
    Feature digits = storage.features.read(r -> r.byId(bar, "digits")).orElseThrow();
    assertThat(digits.data().path("n").bigIntegerValue().toString()).isEqualTo("7".repeat(2000));
    assertThat(storage.features.read(r -> r.byId(bar, "past")).orElseThrow().geoJson())
        .contains("[".repeat(800));
  }

  /** A feature with a number in so many arrays. */
  private static String nested(String id, int arrays) {
    return "jsonb_build_object('id', '%1$s', 'x', (repeat('[', %2$d) || '1' || repeat(']', %2$d))::jsonb)"
        .formatted(id, arrays);
  }
}
