// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * Event to publish.
 *
 * @param type type in dot-case, such as {@code order.created}
 * @param payload JSON object
 * @param priority priority, the highest first; empty for {@value #STANDARD_PRIORITY}
 * @param id id; empty for a new one
 * @param rootEventId id of the event that began the chain; empty if this event begins one
 * @param chainDepth number of events before it in the chain
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record PublishRequest(
    String type,
    JsonNode payload,
    Optional<Integer> priority,
    Optional<String> id,
    Optional<String> rootEventId,
    Optional<Integer> chainDepth)
    implements PublishRequestBuilder.With {

  /** Priority of an event that names none. */
  public static final int STANDARD_PRIORITY = 100;

  /** Members of an answered event that a new event gets anew. */
  private static final Set<String> IGNORED =
      Set.of("namespace", "created_at", "status", "published");

  private static final Set<String> KNOWN =
      Set.of("type", "payload", "priority", "id", "root_event_id", "chain_depth");

  /** Returns an event with an empty payload. */
  public static PublishRequest of(String type) {
    return of(type, JsonNodeFactory.instance.objectNode());
  }

  /** Returns an event with a payload. */
  public static PublishRequest of(String type, JsonNode payload) {
    return new PublishRequest(
        type, payload, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Reads an event from a document: a new event, or one as it was answered.
   *
   * @throws TidemarkException with the code {@code invalid-payload} if the document is no event
   */
  public static PublishRequest read(ObjectNode json) {
    for (Iterator<String> fields = json.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!KNOWN.contains(field) && !IGNORED.contains(field)) {
        throw invalid("an event has no \"" + field + "\"; put what is your own into its payload");
      }
    }
    PublishRequest event =
        of(text(json, "type"))
            .withPayload(json.has("payload") ? json.get("payload") : of("").payload)
            .withPriority(number(json, "priority"))
            .withId(json.has("id") ? Optional.of(text(json, "id")) : Optional.empty());
    return json.has("root_event_id") && json.path("chain_depth").asInt() > 0
        ? event
            .withRootEventId(Optional.of(text(json, "root_event_id")))
            .withChainDepth(number(json, "chain_depth"))
        : event;
  }

  private static String text(ObjectNode json, String field) {
    JsonNode value = json.path(field);
    if (!value.isTextual()) {
      throw invalid(
          value.isMissingNode()
              ? "it has no \"" + field + "\"; add it"
              : "its \"" + field + "\" is " + value + "; make it a text");
    }
    return value.textValue();
  }

  private static Optional<Integer> number(ObjectNode json, String field) {
    JsonNode value = json.path(field);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw invalid("its \"" + field + "\" is " + value + "; make it a whole number");
    }
    return Optional.of(value.intValue());
  }

  private static TidemarkException invalid(String message) {
    return new TidemarkException(ErrorCode.INVALID_PAYLOAD, message);
  }
}
