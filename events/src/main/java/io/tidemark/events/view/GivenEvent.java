// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.InvalidPayloadException;
import io.tidemark.events.model.NewEvent;
import java.util.Iterator;
import java.util.Set;

/** An event that is to be published, as JSON. */
public final class GivenEvent {

  /** What one that was read from a bus says too, and a new event has of its own. */
  private static final Set<String> PASSED_OVER =
      Set.of("namespace", "created_at", "status", "published");

  private static final Set<String> KNOWN =
      Set.of("type", "payload", "priority", "id", "root_event_id", "chain_depth");

  private GivenEvent() {}

  /**
   * Reads an event.
   *
   * @param usualPriority if it says none
   * @throws InvalidPayloadException when that can't be meant
   */
  public static NewEvent read(ObjectNode json, int usualPriority) {
    for (Iterator<String> fields = json.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!KNOWN.contains(field) && !PASSED_OVER.contains(field)) {
        throw new InvalidPayloadException(
            "an event has no \"" + field + "\"; put what is your own into its payload");
      }
    }
    JsonNode payload = json.path("payload");
    NewEvent event =
        NewEvent.of(text(json, "type"), payload.isMissingNode() ? "{}" : payload.toString())
            .withPriority(number(json, "priority", usualPriority));
    event = json.has("id") ? event.withId(text(json, "id")) : event;
    return json.has("root_event_id") && json.path("chain_depth").asInt() > 0
        ? event.withLineage(text(json, "root_event_id"), number(json, "chain_depth", 0))
        : event;
  }

  private static String text(ObjectNode json, String field) {
    JsonNode value = json.path(field);
    if (!value.isTextual()) {
      throw new InvalidPayloadException(
          value.isMissingNode()
              ? "it has no \"" + field + "\"; add it"
              : "its \"" + field + "\" is " + value + "; make it a text");
    }
    return value.textValue();
  }

  private static int number(ObjectNode json, String field, int otherwise) {
    JsonNode value = json.path(field);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw new InvalidPayloadException(
          "its \"" + field + "\" is " + value + "; make it a whole number");
    }
    return value.intValue();
  }
}
