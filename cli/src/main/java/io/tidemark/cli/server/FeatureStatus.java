// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.features.StorageChoice;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.Reading;
import io.tidemark.features.view.TransactionJson;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.Optional;

/**
 * How features are: how many collections there are, and whether transactions get their numbers,
 * without which heads don't move and who follows the log hears nothing.
 *
 * @param json as programs get it; with a problem in it, if they can't be asked
 */
record FeatureStatus(ObjectNode json) {

  private static final String NONE = "no-features";
  private static final int LOOKED_AT = 200;

  /** Looks; empty where there are none. */
  static Optional<FeatureStatus> of(StorageChoice storage) {
    if (storage.server().isEmpty() && !storage.isKnown()) {
      return Optional.empty();
    }
    try {
      JsonNode newest =
          storage.answer(
              features -> TransactionJson.of(features.log().last(LOOKED_AT)),
              server -> server.log().last(LOOKED_AT));
      JsonNode collections =
          storage.answer(
              features ->
                  JsonNodeFactory.instance.numberNode(features.read(Reading::collections).size()),
              server -> JsonNodeFactory.instance.numberNode(server.collections().size()));
      return Optional.of(new FeatureStatus(told(collections.asInt(), newest)));
    } catch (StoreAccessException e) {
      return Optional.empty(); // out of the caller's reach, as names may be
    } catch (TidemarkException e) {
      return e.code().equals(NONE)
          ? Optional.empty()
          : Optional.of(
              new FeatureStatus(
                  JsonNodeFactory.instance.objectNode().put("problem", e.getMessage())));
    }
  }

  private static ObjectNode told(int collections, JsonNode newest) {
    long numbered = 0;
    int waiting = 0;
    String since = null;
    for (JsonNode transaction : newest) {
      if (transaction.path("seq_number").isNumber()) {
        numbered = Math.max(numbered, transaction.path("seq_number").asLong());
      } else {
        waiting++;
        since = transaction.path("ts").asText(); // the newest come first
      }
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("collections", collections)
        .put("numbered_up_to", numbered)
        .put("waiting", waiting)
        .put("waiting_since", since);
  }

  String text() {
    if (json.has("problem")) {
      return "features can't be asked: " + json.path("problem").asText();
    }
    int waiting = json.path("waiting").asInt();
    return Table.aligned(
        List.of(
            List.of("FEATURES", "NUMBERED UP TO", "WAITING FOR A NUMBER"),
            List.of(
                json.path("collections").asInt() + " collections",
                json.path("numbered_up_to").asText(),
                waiting == 0
                    ? "none"
                    : "%d%s since %s"
                        .formatted(
                            waiting,
                            waiting == LOOKED_AT ? " or more" : "",
                            json.path("waiting_since").asText()))));
  }
}
