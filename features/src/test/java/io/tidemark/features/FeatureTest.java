// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.geojson.Quadkey;
import io.tidemark.features.model.Feature;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken for a feature and what isn't; quadkeys as in case F1. */
class FeatureTest {

  private static final String POINT_WITH_CRS =
      "{\"type\":\"Feature\",\"crs\":%s,\"geometry\":{\"type\":\"Point\",\"crs\":%s,\"coordinates\":[1,2]}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"Point\",\"coordinates\":[5.0,6.0,2.0]}",
        "{\"type\":\"LineString\",\"coordinates\":[[-180.0,-90.0,0.0],[180.0,90.0,1.0E10]]}",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0.0,0.0,0.0],[1.0,0.0,0.0],[1.0,1.0,0.0],[0.0,0.0,0.0]]]}",
        "{\"type\":\"MultiPoint\",\"coordinates\":[[1.0,2.0,3.0]]}",
        "{\"type\":\"MultiLineString\",\"coordinates\":[[[1.0,2.0,3.0],[0.1,0.2,0.3]]]}",
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0.0,0.0,0.0],[1.0,0.0,0.0],[1.0,1.0,0.0],[0.0,0.0,0.0]]]]}",
        "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1.0,2.0,3.0]}]}"
      })
  void everyGeometryComesBackAsItWas(String geometry) {
    Feature feature = Feature.parse("{\"id\":\"x\",\"geometry\":" + geometry + "}");

    assertThat(feature.geoJson()).isEqualTo("{\"id\":\"x\",\"geometry\":" + geometry + "}");
  }

  @Test
  void aMissingHeightIsZeroAndNumbersAreKeptExactly() {
    Feature feature =
        Feature.parse(
            "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},\"properties\":{\"n\":1.10,\"m\":12345678901234567890123}}");

    assertThat(feature.geoJson())
        .contains("[1.0,2.0,0.0]", "\"n\":1.10", "12345678901234567890123");
    assertThat(feature.id()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{\"a\":1}{\"a\":1}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":NaN}",
        "{\"type\":\"FeatureCollection\"}",
        "{\"properties\":[]}",
        "{\"id\":\"\"}",
        "{\"id\":\"a\\u0000b\"}",
        "{\"properties\":{\"\\u0000\":1}}",
        "{\"properties\":{\"n\":1e5000}}",
        "{\"geometry\":5}",
        "{\"geometry\":{\"type\":\"Circle\"}}",
        "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[181,0]}}",
        "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,-90.1]}}",
        "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[1]}}",
        "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2,3,4]}}",
        "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,\"2\"]}}",
        "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2,1e999]}}",
        "{\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[1,2]]}}",
        "{\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1],[2,2],[3,3]]]}}",
        "{\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1],[0,0]]]}}"
      })
  void whatIsNoFeatureIsRefused(String text) {
    assertThatThrownBy(() -> Feature.parse(text)).isInstanceOf(InvalidFeatureException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:OGC:1.3:CRS84\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:OGC::CRS84h\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::4326\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"urn:x-ogc:def:crs:EPSG:6.9:4326\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:4326\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"epsg:4979\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"OGC:CRS84\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"http://www.opengis.net/def/crs/OGC/1.3/CRS84\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"http://www.opengis.net/def/crs/EPSG/0/4326\"}}",
        "{\"type\":\"EPSG\",\"properties\":{\"code\":4326}}",
        "\"EPSG:4326\""
      })
  void aCrsThatIsWgs84IsAccepted(String crs) {
    assertThat(Feature.parse(POINT_WITH_CRS.formatted("null", crs)).geometry()).isNotNull();
    assertThat(Feature.parse(POINT_WITH_CRS.formatted(crs, "null")).geometry()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::25832\"}}"
            + "|urn:ogc:def:crs:EPSG::25832",
        "{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:3857\"}}|EPSG:3857",
        "{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:43260\"}}|EPSG:43260",
        "{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:OGC::CRS83\"}}"
            + "|urn:ogc:def:crs:OGC::CRS83",
        "{\"type\":\"EPSG\",\"properties\":{\"code\":31467}}|EPSG:31467",
        "{\"type\":\"link\",\"properties\":{\"href\":\"x\"}}"
            + "|{\"type\":\"link\",\"properties\":{\"href\":\"x\"}}",
        "{}|{}",
        "25832|25832",
      })
  void aCrsOtherThanWgs84IsRefusedWithTheRemedy(String crs, String shown) {
    for (String text :
        List.of(
            POINT_WITH_CRS.formatted("null", crs),
            POINT_WITH_CRS.formatted(crs, "null"),
            """
            {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[
              {"type":"Point","crs":%s,"coordinates":[1,2]}]}}
            """
                .formatted(crs))) {
      assertThatThrownBy(() -> Feature.parse(text))
          .isInstanceOf(InvalidFeatureException.class)
          .hasMessage(
              "the crs is "
                  + shown
                  + ", but coordinates must be degrees in WGS 84 (EPSG:4326); reproject it to WGS"
                  + " 84, e.g. 'ogr2ogr -t_srs EPSG:4326 -lco RFC7946=YES OUT.geojson IN'");
    }
  }

  @Test
  void anIdThatIsTooLongIsRefused() {
    assertThat(Feature.parse("{\"id\":\"%s\"}".formatted("a".repeat(255))).id()).isPresent();
    assertThatThrownBy(() -> Feature.parse("{\"id\":\"%s\"}".formatted("a".repeat(256))))
        .hasMessageContaining("an id of 256 characters; give 1 to 255");
  }

  @Test
  void aFeatureThatIsTooLongIsRefusedHoweverItIsPutTogether() {
    String million = "x".repeat(1 << 20);
    ObjectNode sixteen = JsonNodeFactory.instance.objectNode();
    ArrayNode texts = sixteen.putObject("properties").putArray("t");
    IntStream.range(0, 16).forEach(n -> texts.add(million));
    ObjectNode quotes = JsonNodeFactory.instance.objectNode();
    quotes.putObject("properties").put("t", "\"".repeat(3 << 20));

    assertThatThrownBy(() -> Feature.of(sixteen))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("characters; at most 16777216 are taken");
    Feature taken = Feature.of(quotes);
    assertThat(taken.withTags(List.of(million)).tags()).hasSize(1);
    assertThatThrownBy(() -> taken.withTags(Stream.generate(() -> million).limit(16).toList()))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessageContaining("characters; at most 16777216 are taken");
  }

  @Test
  void f1QuadkeysOfPlaces() {
    assertThat(Quadkey.of(13.37, 52.52)).startsWith("12201203120220").hasSize(31);
    assertThat(Quadkey.of(5, 6)).isEqualTo("1200021112001310021112001310021");
    assertThat(Quadkey.of(0, 0)).isEqualTo("1200000000000000000000000000000");
    assertThat(Quadkey.of(180, 90)).isEqualTo("1333333333333333333333333333333");
  }
}
