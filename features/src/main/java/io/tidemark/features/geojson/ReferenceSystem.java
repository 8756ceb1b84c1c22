// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;

/**
 * Check of the member {@code crs}, which GeoJSON had before RFC 7946. Coordinates are stored as
 * degrees in WGS 84, so an object in any other coordinate reference system is refused. A missing
 * member and {@code null} say nothing and are accepted.
 */
public final class ReferenceSystem {

  /** URNs, URIs and short names of CRS84, EPSG:4326, and their forms with ellipsoidal height. */
  private static final Pattern WGS84 =
      Pattern.compile(
          "(urn:(x-)?ogc:def:crs:|https?://www\\.opengis\\.net/def/crs/)?"
              + "(OGC([:/][0-9.]*)?[:/]CRS:?84h?|EPSG([:/][0-9.]*)?[:/](4326|4979))"
              + "|https?://www\\.opengis\\.net/gml/srs/epsg\\.xml#(4326|4979)"
              + "|CRS:?84h?|WGS ?84",
          Pattern.CASE_INSENSITIVE);

  private static final String REMEDY =
      "reproject it to WGS 84, e.g. 'ogr2ogr -t_srs EPSG:4326 -lco RFC7946=YES OUT.geojson IN'";

  private ReferenceSystem() {}

  /**
   * Checks the member {@code crs} of a FeatureCollection, a Feature or a geometry.
   *
   * @throws InvalidFeatureException if it names something else than WGS 84
   */
  public static void requireWgs84(JsonNode object) {
    requireWgs84Value(object.path("crs"));
  }

  /**
   * Checks the value of a member {@code crs}.
   *
   * @throws InvalidFeatureException if it names something else than WGS 84
   */
  public static void requireWgs84Value(JsonNode crs) {
    if (crs.isMissingNode() || crs.isNull() || isWgs84(crs)) {
      return;
    }
    throw new InvalidFeatureException(
        "the crs is %s, but coordinates must be degrees in WGS 84 (EPSG:4326); %s"
            .formatted(shown(crs), REMEDY));
  }

  private static boolean isWgs84(JsonNode crs) {
    return WGS84.matcher(name(crs)).matches();
  }

  /** Returns the name of the system, or an empty text if it has none. */
  private static String name(JsonNode crs) {
    if (crs.isTextual()) {
      return crs.textValue();
    }
    JsonNode properties = crs.path("properties");
    // The form {"type":"EPSG","properties":{"code":4326}} is older than GeoJSON 1.0.
    return crs.path("type").asText().equalsIgnoreCase("EPSG")
        ? "EPSG:" + properties.path("code").asText()
        : properties.path("name").asText();
  }

  private static String shown(JsonNode crs) {
    String name = name(crs);
    String text = name.isEmpty() ? crs.toString() : name;
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }
}
