// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.Feature;
import io.tidemark.features.Xyz;
import io.tidemark.features.activity.Activity;
import java.util.ArrayList;
import java.util.List;

/** What was done to one feature, as people and programs see it. */
final class ShownHistory {

  private static final String PROPERTIES = "/properties/";

  private ShownHistory() {}

  /** With how to get back to the state before; the newest first. */
  static ObjectNode json(List<Activity> activities) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection");
    ArrayNode list = json.putArray("features");
    activities.forEach(activity -> list.add(activity.json()));
    return json;
  }

  /**
   * A line each state, the first first.
   *
   * @param activities the same states, the newest first
   */
  static String table(List<Feature> states, List<Activity> activities) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("VERSION", "ACTION", "TXN", "TIME", "AUTHOR", "APP", "WHAT"));
    for (int i = 0; i < states.size(); i++) {
      Feature state = states.get(i);
      Xyz xyz = state.xyz().orElseThrow();
      lines.add(
          List.of(
              Long.toString(xyz.version()),
              xyz.action(),
              xyz.txn().toString(),
              xyz.updatedAt().toString(),
              xyz.author(),
              xyz.appId(),
              what(state, activities.get(states.size() - 1 - i))));
    }
    return Table.aligned(lines);
  }

  /** What is different; of a state whose one before isn't known, its properties. */
  private static String what(Feature state, Activity activity) {
    if (activity.diff().isEmpty()) {
      return activity.action().equals("DELETE") ? "" : ShownFeatures.properties(state);
    }
    List<String> changes = new ArrayList<>();
    for (JsonNode op : activity.diff().get().path("ops")) {
      changes.add(change(op, activity.json()));
    }
    return ShownFeatures.cut(String.join(", ", changes));
  }

  /** A step back, told as the step forward that it undoes. */
  private static String change(JsonNode back, JsonNode now) {
    String path = back.path("path").asText();
    String name = path.startsWith(PROPERTIES) ? path.substring(PROPERTIES.length()) : path;
    String plain = name.replace("@ns:com:here:xyz/", "").replace("~1", "/").replace("~0", "~");
    JsonNode value = now.at(path);
    return switch (back.path("op").asText()) {
      case "add" -> plain + " " + back.path("value") + " -> none";
      case "remove" -> plain + " none -> " + value;
      default -> plain + " " + back.path("value") + " -> " + value;
    };
  }
}
