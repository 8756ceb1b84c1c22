// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;

/**
 * A geometry as PostGIS keeps it: extended WKB with x, y and z in WGS 84, written in hexadecimal.
 *
 * @param hex the bytes
 */
public record Geometry(String hex) {

  private static final String LITTLE_ENDIAN = "01";

  /** Byte order, type and SRID come before the coordinates. */
  private static final int HEADER = 9;

  /** Returns the geometry of a GeoJSON object, which is checked; z is 0 where there is none. */
  public static Geometry of(JsonNode geoJson) {
    return new Geometry(HexFormat.of().formatHex(new EwkbWriter().write(geoJson)));
  }

  /** Returns the EWKB bytes. */
  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  /** Returns whether the geometry is a point. */
  public boolean isPoint() {
    // Without a look at the rest, which may be long.
    return hex.startsWith(LITTLE_ENDIAN)
        ? hex.startsWith("01", LITTLE_ENDIAN.length())
        : EwkbReader.of(hex).type() == EwkbReader.POINT;
  }

  /** Returns the quadkey of a point. */
  public String quadkeyOfPoint() {
    EwkbReader bytes = EwkbReader.of(hex);
    return Quadkey.of(bytes.number(HEADER), bytes.number(HEADER + Double.BYTES));
  }

  /** Returns the GeoJSON object. */
  public JsonNode geoJson() {
    return EwkbReader.of(hex).read();
  }
}
