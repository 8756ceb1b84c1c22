// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.activity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.flipkart.zjsonpatch.DiffFlags;
import com.flipkart.zjsonpatch.JsonDiff;
import java.util.EnumSet;
import java.util.List;

/**
 * Difference between two states as a JSON patch. Of the namespace, only members that users choose
 * count.
 */
final class FeatureDiff {

  private static final String XYZ = "@ns:com:here:xyz";
  private static final List<String> CHOSEN = List.of("tags", "crid");

  /**
   * A move is expressed as a removal and an addition, so that each of the three kinds can be
   * counted.
   */
  private static final EnumSet<DiffFlags> PLAIN =
      EnumSet.of(
          DiffFlags.OMIT_VALUE_ON_REMOVE,
          DiffFlags.OMIT_MOVE_OPERATION,
          DiffFlags.OMIT_COPY_OPERATION);

  private FeatureDiff() {}

  static ObjectNode between(ObjectNode from, ObjectNode to) {
    JsonNode ops = JsonDiff.asJson(chosen(from), chosen(to), PLAIN);
    ObjectNode difference = JsonNodeFactory.instance.objectNode();
    for (String kind : List.of("add", "remove", "replace")) {
      int count = 0;
      for (JsonNode op : ops) {
        count += op.path("op").asText().equals(kind) ? 1 : 0;
      }
      difference.put(kind, count);
    }
    difference.set("ops", ops);
    return difference;
  }

  /** Puts the namespace first, since readers look at the tags first. */
  private static ObjectNode chosen(ObjectNode state) {
    ObjectNode copy = state.deepCopy();
    ObjectNode properties = copy.putObject("properties");
    JsonNode xyz = state.path("properties").path(XYZ);
    ObjectNode kept = properties.putObject(XYZ);
    for (String field : CHOSEN) {
      if (xyz.has(field)) {
        kept.set(field, xyz.get(field));
      }
    }
    if (state.path("properties") instanceof ObjectNode all) {
      ObjectNode others = all.deepCopy();
      others.remove(XYZ);
      properties.setAll(others);
    }
    return copy;
  }
}
