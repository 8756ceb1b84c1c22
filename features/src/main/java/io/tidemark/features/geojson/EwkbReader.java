// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;

/** Reader of PostGIS geometries as GeoJSON. */
final class EwkbReader {

  static final int POINT = 1;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int WITH_M = 0x40000000;
  private static final Map<Integer, String> NAMES =
      EwkbWriter.TYPES.entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

  private final ByteBuffer bytes;

  private EwkbReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  static EwkbReader of(String hex) {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    return new EwkbReader(
        bytes.order(bytes.get(0) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN));
  }

  /** Returns the number of the type. */
  int type() {
    return bytes.getInt(1) & 0xff;
  }

  /** Returns a coordinate. */
  double number(int offset) {
    return bytes.getDouble(offset);
  }

  JsonNode read() {
    bytes.get();
    int type = bytes.getInt();
    if ((type & EwkbWriter.WITH_SRID) != 0) {
      bytes.getInt();
    }
    int extra = ((type & EwkbWriter.WITH_Z) != 0 ? 1 : 0) + ((type & WITH_M) != 0 ? 1 : 0);
    int plain = type & 0xff;
    String name = NAMES.get(plain);
    if (name == null) {
      throw new InvalidFeatureException(
          "the geometry is or has a part of type %d in WKB, which GeoJSON doesn't know; it came past"
                  .formatted(plain)
              + " the triggers, and ST_CurveToLine makes lines of curves");
    }
    ObjectNode geometry = JSON.objectNode().put("type", name);
    if (plain == 7) {
      return geometry.set("geometries", parts(false));
    }
    return geometry.set(
        "coordinates",
        switch (plain) {
          case POINT -> position(2 + extra);
          case 2 -> positions(2 + extra);
          case 3 -> rings(2 + extra);
          default -> parts(true);
        });
  }

  /** Geometries one after the other, or only their coordinates. */
  private ArrayNode parts(boolean bare) {
    ArrayNode parts = JSON.arrayNode();
    for (int left = bytes.getInt(); left > 0; left--) {
      JsonNode part = read();
      parts.add(bare ? part.get("coordinates") : part);
    }
    return parts;
  }

  private ArrayNode rings(int width) {
    ArrayNode rings = JSON.arrayNode();
    for (int left = bytes.getInt(); left > 0; left--) {
      rings.add(positions(width));
    }
    return rings;
  }

  private ArrayNode positions(int width) {
    ArrayNode positions = JSON.arrayNode();
    for (int left = bytes.getInt(); left > 0; left--) {
      positions.add(position(width));
    }
    return positions;
  }

  private ArrayNode position(int width) {
    ArrayNode position = JSON.arrayNode();
    for (int i = 0; i < width; i++) {
      double value = bytes.getDouble();
      // An empty point is one of NaN, which JSON doesn't have.
      if (!Double.isNaN(value)) {
        position.add(value);
      }
    }
    return position;
  }
}
