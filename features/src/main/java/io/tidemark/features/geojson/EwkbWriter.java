// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/** Writer of GeoJSON geometries as extended WKB; refuses an invalid geometry. */
final class EwkbWriter {

  static final int WITH_Z = 0x80000000;
  static final int WITH_SRID = 0x20000000;
  static final int WGS84 = 4326;

  /** Types and their numbers. */
  static final Map<String, Integer> TYPES =
      Map.of(
          "Point", 1,
          "LineString", 2,
          "Polygon", 3,
          "MultiPoint", 4,
          "MultiLineString", 5,
          "MultiPolygon", 6,
          "GeometryCollection", 7);

  private static final int MOST_POINTS = 1_000_000;
  private static final int DEEPEST = 8;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
  private final ByteBuffer number =
      ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private int points;

  byte[] write(JsonNode geometry) {
    geometry(geometry, WITH_SRID, 0);
    return bytes.toByteArray();
  }

  private void geometry(JsonNode geometry, int flags, int depth) {
    Integer type = TYPES.get(geometry.path("type").asText());
    if (depth > DEEPEST) {
      throw refused(
          "has collections in collections, more than " + DEEPEST + " deep; take it apart");
    }
    if (type == null) {
      throw refused("has the type " + geometry.path("type") + "; one of " + TYPES.keySet());
    }
    ReferenceSystem.requireWgs84(geometry);
    header(type, flags);
    if (type == 7) {
      JsonNode parts = list(geometry.path("geometries"), 0);
      parts.forEach(part -> geometry(part, 0, depth + 1));
      return;
    }
    JsonNode coordinates = geometry.path("coordinates");
    switch (type) {
      case 1 -> position(coordinates);
      case 2 -> line(coordinates, 2);
      case 3 -> polygon(coordinates);
      default -> {
        for (JsonNode part : list(coordinates, 1)) {
          header(type - 3, 0);
          switch (type) {
            case 4 -> position(part);
            case 5 -> line(part, 2);
            default -> polygon(part);
          }
        }
      }
    }
  }

  private void header(int type, int flags) {
    bytes.write(1);
    integer(type | WITH_Z | flags);
    if (flags == WITH_SRID) {
      integer(WGS84);
    }
  }

  private JsonNode list(JsonNode list, int least) {
    if (!list.isArray() || list.size() < least) {
      throw refused("has " + shown(list) + " where a list of at least " + least + " is needed");
    }
    integer(list.size());
    return list;
  }

  private void polygon(JsonNode rings) {
    for (JsonNode ring : list(rings, 1)) {
      if (!ring.isArray() || ring.isEmpty() || !ring.get(0).equals(ring.get(ring.size() - 1))) {
        throw refused("has a ring that doesn't end where it begins: " + shown(ring));
      }
      line(ring, 4);
    }
  }

  private void line(JsonNode positions, int least) {
    list(positions, least).forEach(this::position);
  }

  private void position(JsonNode position) {
    if (!position.isArray() || position.size() < 2 || position.size() > 3) {
      throw refused("has the position " + shown(position) + "; one is [lon, lat] or [lon, lat, z]");
    }
    if (++points > MOST_POINTS) {
      throw refused("has more than " + MOST_POINTS + " points");
    }
    coordinate(position, 0, 180);
    coordinate(position, 1, 90);
    if (position.size() == 3) {
      coordinate(position, 2, Double.MAX_VALUE);
    } else {
      put(0);
    }
  }

  private void coordinate(JsonNode position, int index, double most) {
    JsonNode value = position.get(index);
    // Not a number, infinite and beyond the world all fail the comparison.
    if (!value.isNumber() || !(Math.abs(value.doubleValue()) <= most)) {
      throw refused("has the position " + shown(position) + ", which is beyond the world");
    }
    put(value.doubleValue());
  }

  private void put(double value) {
    bytes.write(number.clear().putDouble(value).array(), 0, Double.BYTES);
  }

  private void integer(int value) {
    bytes.write(number.clear().putInt(value).array(), 0, Integer.BYTES);
  }

  private static String shown(JsonNode node) {
    String text = node.toString();
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }

  private static InvalidFeatureException refused(String problem) {
    return new InvalidFeatureException("the geometry " + problem);
  }
}
