// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.activity.Activity;
import io.tidemark.features.model.XyzNamespace;
import java.util.ArrayList;
import java.util.List;

/** Text format of the history of a feature. */
final class FeatureHistoryFormatter {

  private static final String PROPERTIES = "/properties/";

  private FeatureHistoryFormatter() {}

  /**
   * Returns a line for each state, the first first.
   *
   * @param activities states, the newest first
   */
  static String table(List<ObjectNode> activities) {
    List<List<String>> lines = new ArrayList<>();
    for (ObjectNode each : activities) {
      XyzNamespace xyzNamespace = FeatureFormatter.xyz(each).orElseThrow();
      lines.add(
          0,
          List.of(
              Long.toString(xyzNamespace.version()),
              xyzNamespace.action(),
              xyzNamespace.txn().toString(),
              xyzNamespace.updatedAt().toString(),
              xyzNamespace.author(),
              xyzNamespace.appId(),
              summary(new Activity(each))));
    }
    lines.add(0, List.of("VERSION", "ACTION", "TXN", "TIME", "AUTHOR", "APP", "WHAT"));
    return Table.aligned(lines);
  }

  /** Returns the changed fields; the properties of a state whose previous one isn't known. */
  private static String summary(Activity activity) {
    if (activity.diff().isEmpty()) {
      return activity.action().equals("DELETE") ? "" : FeatureFormatter.properties(activity.json());
    }
    List<String> changes = new ArrayList<>();
    for (JsonNode op : activity.diff().get().path("ops")) {
      changes.add(change(op, activity.json()));
    }
    return FeatureFormatter.cut(String.join(", ", changes));
  }

  /** Returns a reverse change as the forward change that it undoes. */
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
