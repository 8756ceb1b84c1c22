// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EwkbWriterTest {

  private static Geometry nested(int depth) {
    return Geometry.of(
        GeoJson.object(
            "{\"type\":\"GeometryCollection\",\"geometries\":[".repeat(depth)
                + "{\"type\":\"Point\",\"coordinates\":[1,2]}"
                + "]}".repeat(depth)));
  }

  @Test
  void collectionsThatAreTooDeepAreRefusedAsSuch() {
    assertThat(nested(8).isPoint()).isFalse();
    assertThatThrownBy(() -> nested(9))
        .isInstanceOf(InvalidFeatureException.class)
        .hasMessage("the geometry has collections in collections, more than 8 deep; take it apart");
  }
}
