// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.activity.Activity;
import io.tidemark.features.model.Xyz;
import java.util.ArrayList;
import java.util.List;

/** What was done to one feature, as people see it. */
final class ShownHistory {

  private static final String PROPERTIES = "/properties/";

  private ShownHistory() {}

  /**
   * Returns a line for each state, the first first.
   *
   * @param activities states, the newest first
   */
  static String table(List<ObjectNode> activities) {
    List<List<String>> lines = new ArrayList<>();
    for (ObjectNode each : activities) {
      Xyz xyz = ShownFeatures.xyz(each).orElseThrow();
      lines.add(
          0,
          List.of(
              Long.toString(xyz.version()),
              xyz.action(),
              xyz.txn().toString(),
              xyz.updatedAt().toString(),
              xyz.author(),
              xyz.appId(),
              what(new Activity(each))));
    }
    lines.add(0, List.of("VERSION", "ACTION", "TXN", "TIME", "AUTHOR", "APP", "WHAT"));
    return Table.aligned(lines);
  }

  /** What is different; of a state whose one before isn't known, its properties. */
  private static String what(Activity activity) {
    if (activity.diff().isEmpty()) {
      return activity.action().equals("DELETE") ? "" : ShownFeatures.properties(activity.json());
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
