// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Areas by a geometry, and ids with the prefix of their collection. */
class FeatureSpatialQueryTest extends FeatureCommandFixture {

  private static final String TRIANGLE =
      "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[4,0],[0,4],[0,0]]]}";

  @BeforeEach
  void points() throws IOException {
    done("collection", "create", "points", "--one-table", "--id-prefix", "urn:");
    done("put", "points", file("points.geojson", point("urn:in", 1) + point("out", 3)));
  }

  private static String point(String id, int place) {
    return "{\"type\":\"Feature\",\"id\":\"%1$s\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[%2$d,%2$d]}}"
        .formatted(id, place);
  }

  @Test
  void whatTouchesAGeometryOrIsNearIt() throws IOException {
    String inLine = done("query", "points", "--touching", TRIANGLE);
    assertThat(inLine).contains("in  ").doesNotContain("out  ");
    String file =
        file("t.geojson", "{\"type\":\"Feature\",\"properties\":{},\"geometry\":" + TRIANGLE + "}");
    assertThat(done("query", "points", "--touching", file)).isEqualTo(inLine);
    assertThat(done("query", "points", "--touching", file, "--distance", "1000")).isEqualTo(inLine);
    assertThat(done("query", "points", "--touching", file, "--distance", "200000"))
        .contains("in  ", "out  ");

    failed(2, "--distance goes with --touching", "query", "points", "--distance", "5");
    failed(4, "there is no such file: none", "query", "points", "--touching", "none");
    failed(4, "the geometry isn't JSON", "query", "points", "--touching", "{nonsense");
    failed(4, "has the type \"Place\"", "query", "points", "--touching", "{\"type\":\"Place\"}");
    failed(4, "a radius of -1.0 metres", "query", "points", "--touching", file, "--distance", "-1");
  }

  @Test
  void idsAreFoundWithTheirPrefixAndWithout() {
    assertThat(done("get", "points", "urn:in", "out")).contains("in  ", "out  ");
    assertThat(done("get", "points", "in", "urn:out")).contains("in  ", "out  ");
    assertThat(done("at", "points", "9000-01-01T00:00:00Z", "urn:in")).contains("in  ");
    assertThat(done("history", "points", "urn:in")).contains("CREATE");
    done("delete", "points", "urn:in");
    assertThat(done("get", "points", "urn:in", "--deleted")).contains("in  ");
    Outcome outcome = run("get", "points", "urn:in", "urn:out");
    assertThat(outcome.err()).isEqualTo("tidemark: not there: urn:in" + System.lineSeparator());
    assertThat(outcome.exitCode()).isEqualTo(1);
  }
}
