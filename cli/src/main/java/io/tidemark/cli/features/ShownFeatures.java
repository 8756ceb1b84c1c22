// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.Feature;
import io.tidemark.features.Xyz;
import io.tidemark.features.geojson.GeoJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Features as people and programs see them. */
final class ShownFeatures {

  private static final String XYZ = "@ns:com:here:xyz";
  private static final int LONGEST = 100;

  private ShownFeatures() {}

  /** A GeoJSON FeatureCollection, which many programs read. */
  static ObjectNode json(List<Feature> features) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection");
    ArrayNode list = json.putArray("features");
    features.forEach(feature -> list.add(json(feature)));
    return json;
  }

  static ObjectNode json(Feature feature) {
    return GeoJson.object(feature.geoJson());
  }

  /** Features as a table, a line each; their namespace is only in the JSON. */
  static String table(List<Feature> features) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("ID", "VERSION", "UPDATED", "GEOMETRY", "PROPERTIES"));
    for (Feature feature : features) {
      ObjectNode json = json(feature);
      Optional<Xyz> xyz = feature.xyz();
      lines.add(
          List.of(
              feature.id().orElse("-"),
              xyz.map(known -> Long.toString(known.version())).orElse("-"),
              xyz.map(known -> known.updatedAt().toString()).orElse("-"),
              geometry(json.path("geometry")),
              properties(json)));
    }
    return Table.aligned(lines);
  }

  /** States of features, a line each. */
  static String states(List<Feature> states) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("ID", "VERSION", "ACTION", "TXN", "TIME", "AUTHOR", "PROPERTIES"));
    for (Feature state : states) {
      Xyz xyz = state.xyz().orElseThrow();
      lines.add(
          List.of(
              state.id().orElse("-"),
              Long.toString(xyz.version()),
              xyz.action(),
              xyz.txn().toString(),
              xyz.updatedAt().toString(),
              xyz.author(),
              properties(state)));
    }
    return Table.aligned(lines);
  }

  /** A point with its place, of others what they are. */
  private static String geometry(JsonNode geometry) {
    String type = geometry.path("type").asText("-");
    if (!type.equals("Point")) {
      return type;
    }
    JsonNode place = geometry.path("coordinates");
    return "Point " + place.path(0).asText() + "," + place.path(1).asText();
  }

  /** What users put in, as much of it as fits on a line. */
  static String properties(Feature feature) {
    return properties(json(feature));
  }

  private static String properties(ObjectNode feature) {
    if (!(feature.path("properties") instanceof ObjectNode properties)) {
      return "{}";
    }
    properties.remove(XYZ);
    return cut(properties.toString());
  }

  /** As much of a text as fits on a line. */
  static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST - 3) + "..." : text;
  }
}
