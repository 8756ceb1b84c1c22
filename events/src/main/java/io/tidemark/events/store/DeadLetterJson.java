// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Instant;
import java.util.Optional;

/** JSON of dead letters, with everything that is needed to publish the event anew. */
public final class DeadLetterJson {

  private DeadLetterJson() {}

  static ObjectNode write(DeadLetter letter) {
    ObjectNode json =
        CanonicalJson.object()
            .put("event_id", letter.eventId())
            .put("handler_id", letter.handlerId())
            .put("namespace", letter.namespace())
            .put("attempts", letter.attempts())
            .put("last_error", letter.lastError());
    JsonFields.put(json, "failed_at", letter.failedAt());
    letter.event().ifPresent(event -> writeEvent(event, json));
    letter.raw().ifPresent(raw -> json.put("raw", raw));
    return json;
  }

  private static void writeEvent(Event event, ObjectNode json) {
    json.put("event_type", event.type())
        .put("priority", event.priority())
        .put("root_event_id", event.rootEventId())
        .put("chain_depth", event.chainDepth());
    json.set("payload", event.payloadTree());
    JsonFields.put(json, "created_at", event.createdAt());
  }

  public static DeadLetter read(ObjectNode json) throws UnreadableDocumentException {
    JsonFields jsonFields = new JsonFields(json);
    return new DeadLetter(
        jsonFields.text("event_id"),
        jsonFields.text("handler_id"),
        jsonFields.text("namespace"),
        jsonFields.moment("failed_at"),
        jsonFields.number("attempts", 0),
        jsonFields.optionalText("last_error").orElse(""),
        readEvent(jsonFields),
        jsonFields.optionalText("raw"));
  }

  private static Optional<Event> readEvent(JsonFields jsonFields)
      throws UnreadableDocumentException {
    Optional<String> type = jsonFields.optionalText("event_type");
    Optional<Instant> createdAt = jsonFields.optionalMoment("created_at");
    JsonNode payload = jsonFields.json().path("payload");
    if (type.isEmpty() || createdAt.isEmpty() || !payload.isObject()) {
      return Optional.empty();
    }
    String id = jsonFields.text("event_id");
    return Optional.of(
        new Event(
            id,
            jsonFields.text("namespace"),
            type.get(),
            CanonicalJson.write(payload),
            createdAt.get(),
            jsonFields.number("priority", Event.USUAL_PRIORITY),
            jsonFields.optionalText("root_event_id").orElse(id),
            jsonFields.number("chain_depth", 0)));
  }
}
