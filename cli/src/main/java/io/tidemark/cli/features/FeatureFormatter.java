// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.model.XyzNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Text format of features. */
final class FeatureFormatter {

  private static final String XYZ = "@ns:com:here:xyz";
  private static final String LOG = "@ns:com:here:xyz:log";
  private static final int LONGEST = 100;

  private FeatureFormatter() {}

  /** Returns a table of features, a line each; their namespace is only in the JSON. */
  static String table(List<ObjectNode> features) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("ID", "VERSION", "UPDATED", "GEOMETRY", "PROPERTIES"));
    for (ObjectNode feature : features) {
      Optional<XyzNamespace> xyz = xyz(feature);
      lines.add(
          List.of(
              feature.path("id").asText("-"),
              xyz.map(known -> Long.toString(known.version())).orElse("-"),
              xyz.map(known -> known.updatedAt().toString()).orElse("-"),
              geometry(feature.path("geometry")),
              properties(feature)));
    }
    return Table.aligned(lines);
  }

  /** Returns a table of states of features, a line each. */
  static String states(List<ObjectNode> states) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("ID", "VERSION", "ACTION", "TXN", "TIME", "AUTHOR", "PROPERTIES"));
    for (ObjectNode state : states) {
      XyzNamespace xyzNamespace = xyz(state).orElseThrow();
      lines.add(
          List.of(
              state.path("id").asText("-"),
              Long.toString(xyzNamespace.version()),
              xyzNamespace.action(),
              xyzNamespace.txn().toString(),
              xyzNamespace.updatedAt().toString(),
              xyzNamespace.author(),
              properties(state)));
    }
    return Table.aligned(lines);
  }

  /** Returns the metadata that the storage keeps of a state. */
  static Optional<XyzNamespace> xyz(JsonNode feature) {
    return feature.path("properties").path(XYZ) instanceof ObjectNode xyz
        ? Optional.of(new XyzNamespace(xyz))
        : Optional.empty();
  }

  /** Returns the type of a geometry, for a point with its coordinates. */
  private static String geometry(JsonNode geometry) {
    String type = geometry.path("type").asText("-");
    if (!type.equals("Point")) {
      return type;
    }
    JsonNode place = geometry.path("coordinates");
    return "Point " + place.path(0).asText() + "," + place.path(1).asText();
  }

  /** Returns the user's properties, cut to the length of a line. */
  static String properties(JsonNode feature) {
    return feature.path("properties") instanceof ObjectNode properties
        ? cut(properties.deepCopy().without(List.of(XYZ, LOG)).toString())
        : "{}";
  }

  /** Cuts a text to the length of a line. */
  static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST - 3) + "..." : text;
  }
}
