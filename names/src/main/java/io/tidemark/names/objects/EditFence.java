// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * A change of several documents, as the main one remembers it: while a document beside it still
 * carries this id, the states given here hold instead of what it says.
 *
 * @param id which change
 * @param states the concerns that it set
 * @param indexRev how often the index was published, when it set the index
 */
record EditFence(String id, Map<Concern, ConcernValue> states, long indexRev) {

  /** Only says that the index isn't in the main document any more; seals nothing. */
  static final EditFence INDEX_MOVED = new EditFence("index moved", Map.of(), 0);

  static Optional<EditFence> read(String key, JsonNode node) {
    if (!node.isObject()) {
      return Optional.empty();
    }
    Map<Concern, ConcernValue> states = new EnumMap<>(Concern.class);
    for (Concern concern : Concern.values()) {
      JsonNode state = node.path(concern.text());
      if (state.isObject()) {
        long watermark = DocumentJson.number(key, state, "watermark").orElse(0L);
        states.put(
            concern,
            new ConcernValue(watermark, ConcernFormat.payload(key, state.path("payload"))));
      }
    }
    String id = DocumentJson.text(key, node, "id").orElse("");
    return Optional.of(
        new EditFence(id, states, DocumentJson.number(key, node, "index_rev").orElse(0L)));
  }

  Optional<ConcernValue> state(Concern concern) {
    return Optional.ofNullable(states.get(concern));
  }

  ObjectNode write() {
    ObjectNode out = DocumentJson.object().put("id", id);
    states.forEach(
        (concern, value) ->
            out.putObject(concern.text())
                .put("watermark", value.watermark())
                .set("payload", ConcernFormat.tree(value)));
    if (states.containsKey(Concern.INDEX)) {
      out.put("index_rev", indexRev);
    }
    return out;
  }
}
