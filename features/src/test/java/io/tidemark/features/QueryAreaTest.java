// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.Tile;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading by place: cases D14, D15 and D17, and what is odd about places. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryAreaTest {

  private static final Area SIX_TO_EIGHT = Area.box(8.6476, 50.1175, 8.6729, 50.1248);

  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  @Test
  void d14TheComplementOfAnAreaHasOnlyWhatIsSomewhere() {
    String places = storage.small();
    storage.put(
        places,
        TestStorage.point("in", "[8.65, 50.12]", "", ""),
        TestStorage.point("out", "[0, 0]", "", ""),
        "{\"id\": \"nowhere\"}");

    assertThat(storage.ids(FeatureQuery.from(places).in(Area.not(SIX_TO_EIGHT))))
        .containsExactly("out");
    assertThat(storage.ids(FeatureQuery.from(places).in(Area.not(Area.not(SIX_TO_EIGHT)))))
        .containsExactly("in");
    Area origin = Area.withinMetres(0, 0, 1);
    assertThat(storage.ids(FeatureQuery.from(places).in(Area.any(origin, SIX_TO_EIGHT))))
        .containsExactly("in", "out");
    assertThat(storage.ids(FeatureQuery.from(places).in(Area.all(origin, SIX_TO_EIGHT)))).isEmpty();
    assertThat(storage.ids(FeatureQuery.from(places).in(Area.not(Area.all(origin, SIX_TO_EIGHT)))))
        .containsExactly("in", "out");
  }

  @ParameterizedTest
  @CsvSource({
    "DEGREES, 1.0, false",
    "DEGREES, 2.0, true",
    "METRES, 150000, false",
    "METRES, 160000, true"
  })
  void d15ADistanceInDegreesOrMetres(String unit, double distance, boolean hit) {
    String buffers = storage.small();
    storage.put(buffers, TestStorage.point("x", "[5, 6]", "", ""));
    String from = "{\"type\": \"Point\", \"coordinates\": [4, 5]}";
    Area area =
        unit.equals("METRES")
            ? Area.withinMetres(from, distance)
            : Area.withinDegrees(from, distance);

    assertThat(storage.ids(FeatureQuery.from(buffers).in(area)))
        .isEqualTo(hit ? List.of("x") : List.of());
  }

  @Test
  void d17FeaturesInATile() {
    String tiles = storage.small();
    storage.put(
        tiles,
        TestStorage.point("near", "[8.65713, 50.1234]", "", ""),
        TestStorage.point("point", "[8.65723, 50.1234]", "", ""),
        "{\"id\": \"line\", \"geometry\": {\"type\": \"LineString\", \"coordinates\":"
            + " [[8.6579, 50.1245], [8.6583, 50.1235]]}}");
    Tile tile = Tile.web("120203302030322200");

    assertThat(storage.ids(FeatureQuery.from(tiles).in(tile.box())))
        .containsExactly("line", "point");
    assertThat(storage.ids(FeatureQuery.from(tiles).in(tile.box(20))))
        .containsExactly("line", "near", "point");
  }

  @Test
  void geometriesAreCutToTheArea() {
    String lines = storage.small();
    storage.put(
        lines,
        "{\"id\": \"line\", \"geometry\": {\"type\": \"LineString\","
            + " \"coordinates\": [[0, 0], [10, 0]]}}",
        TestStorage.point("point", "[1, 1, 7]", "", ""),
        "{\"id\": \"bow\", \"geometry\": {\"type\": \"Polygon\", \"coordinates\":"
            + " [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}}");

    FeatureQuery query = FeatureQuery.from(lines).in(Area.box(0, 0, 4, 4)).clip().build();
    List<Feature> found = storage.features.read(r -> r.query(query)).features();

    assertThat(found).hasSize(3);
    assertThat(GeoJson.object(found.get(1).geoJson()).path("geometry").toString())
        .isEqualTo("{\"type\":\"LineString\",\"coordinates\":[[0.0,0.0,0.0],[4.0,0.0,0.0]]}");
    assertThat(GeoJson.object(found.get(2).geoJson()).path("geometry").toString())
        .isEqualTo("{\"type\":\"Point\",\"coordinates\":[1.0,1.0,7.0]}");
    assertThatThrownBy(() -> FeatureQuery.from(lines).in(Area.withinMetres(0, 0, 1)).clip().build())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("box");
  }

  /** Whatever can be stored can be asked for, cut and measured. */
  @Test
  void oddGeometriesFailNoQuery() {
    String odd = storage.small();
    String bow = "[[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]";
    storage.put(
        odd,
        "{\"id\": \"bow\", \"geometry\": {\"type\": \"Polygon\", \"coordinates\": " + bow + "}}",
        "{\"id\": \"bows\", \"geometry\": {\"type\": \"MultiPolygon\", \"coordinates\": ["
            + bow
            + ", "
            + bow
            + "]}}",
        "{\"id\": \"mixed\", \"geometry\": {\"type\": \"GeometryCollection\", \"geometries\":"
            + " [{\"type\": \"Point\", \"coordinates\": [1, 1]}, {\"type\": \"Polygon\","
            + " \"coordinates\": "
            + bow
            + "}]}}",
        "{\"id\": \"none\", \"geometry\": {\"type\": \"GeometryCollection\", \"geometries\": []}}",
        "{\"id\": \"flat\", \"geometry\": {\"type\": \"LineString\", \"coordinates\":"
            + " [[1, 1], [1, 1]]}}",
        "{\"id\": \"pole\", \"geometry\": {\"type\": \"LineString\", \"coordinates\":"
            + " [[-180, 90], [180, 90]]}}");
    String shape =
        "{\"type\": \"GeometryCollection\", \"geometries\": [{\"type\": \"Polygon\","
            + " \"coordinates\": [[[-1, -1], [3, -1], [3, 3], [-1, 3], [-1, -1]]]}]}";

    for (Area area :
        List.of(
            Area.box(-10, -10, 10, 10),
            Area.intersecting(shape),
            Area.withinMetres(shape, 1_000),
            Area.withinDegrees(shape, 1))) {
      assertThat(storage.ids(FeatureQuery.from(odd).in(area)))
          .as("%s", area)
          .containsExactly("bow", "bows", "flat", "mixed");
    }
    assertThat(storage.ids(FeatureQuery.from(odd).in(Area.box(0.5, 0, 10, 1)).clip()))
        .containsExactly("bow", "bows", "flat", "mixed");
    assertThat(storage.ids(FeatureQuery.from(odd).in(Area.intersecting(shape)).clip())).hasSize(4);
    assertThat(storage.ids(FeatureQuery.from(odd).in(Area.withinMetres(0, 89.99, 10_000))))
        .containsExactly("pole");
    assertThat(storage.ids(FeatureQuery.from(odd).in(Area.box(170, 80, -170, 90)).clip()))
        .containsExactly("pole");
  }

  @Test
  void aBoxAndADistanceGoAcrossTheAntimeridian() {
    String fiji = storage.small();
    storage.put(
        fiji,
        TestStorage.point("east", "[179.99, -17]", "", ""),
        TestStorage.point("west", "[-179.99, -17]", "", ""),
        TestStorage.point("edge", "[180, -17]", "", ""),
        TestStorage.point("else", "[0, -17]", "", ""));

    for (Area area :
        List.of(
            Area.box(179, -18, -179, -16),
            Area.withinMetres(179.99, -17, 5_000),
            Area.withinMetres(-180, -17, 5_000),
            Area.withinDegrees("{\"type\": \"Point\", \"coordinates\": [179.99, -17]}", 0.05))) {
      assertThat(storage.ids(FeatureQuery.from(fiji).in(area)))
          .as("%s", area)
          .containsExactly("east", "edge", "west");
    }
  }
}
