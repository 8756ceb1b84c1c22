// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;

/**
 * Event as a commit carries it, in the JSON in which it will be stored.
 *
 * @param namespace namespace that it is to be published in
 */
record OutboxDocument(String namespace, NewEvent event) {

  /**
   * Parses an outbox document.
   *
   * @throws InvalidEventPayloadException when it is no event
   */
  static OutboxDocument parse(JsonNode json) {
    if (!json.path("payload").isObject()) {
      throw new InvalidEventPayloadException(
          "a document of the outbox has no JSON object as its payload; it can't be published as an"
              + " event");
    }
    NewEvent event =
        NewEvent.of(text(json, "type"), CanonicalJson.write(json.path("payload")))
            .withId(text(json, "id"))
            .withPriority(number(json, "priority", Event.USUAL_PRIORITY));
    String root = json.path("root_event_id").asText();
    int depth = number(json, "chain_depth", 0);
    NewEvent inChain = root.isEmpty() ? event : event.withLineage(root, depth);
    return new OutboxDocument(
        text(json, "namespace"),
        UtcTimestamp.parse(json.path("created_at").asText()).map(inChain::at).orElse(inChain));
  }

  private static String text(JsonNode json, String field) {
    if (!json.path(field).isTextual()) {
      throw new InvalidEventPayloadException(
          "a document of the outbox has no " + field + "; it can't be published as an event");
    }
    return json.path(field).textValue();
  }

  private static int number(JsonNode json, String field, int otherwise) {
    JsonNode number = json.path(field);
    return number.isIntegralNumber() && number.canConvertToInt() ? number.intValue() : otherwise;
  }
}
