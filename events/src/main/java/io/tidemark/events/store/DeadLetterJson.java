// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Instant;
import java.util.Optional;

/** Dead letters as they are stored: with all that is needed to publish the event anew. */
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
    Fields.put(json, "failed_at", letter.failedAt());
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
    Fields.put(json, "created_at", event.createdAt());
  }

  public static DeadLetter read(ObjectNode json) throws UnreadableException {
    Fields fields = new Fields(json);
    return new DeadLetter(
        fields.text("event_id"),
        fields.text("handler_id"),
        fields.text("namespace"),
        fields.moment("failed_at"),
        fields.number("attempts", 0),
        fields.optionalText("last_error").orElse(""),
        readEvent(fields),
        fields.optionalText("raw"));
  }

  private static Optional<Event> readEvent(Fields fields) throws UnreadableException {
    Optional<String> type = fields.optionalText("event_type");
    Optional<Instant> createdAt = fields.optionalMoment("created_at");
    JsonNode payload = fields.json().path("payload");
    if (type.isEmpty() || createdAt.isEmpty() || !payload.isObject()) {
      return Optional.empty();
    }
    String id = fields.text("event_id");
    return Optional.of(
        new Event(
            id,
            fields.text("namespace"),
            type.get(),
            CanonicalJson.write(payload),
            createdAt.get(),
            fields.number("priority", Event.USUAL_PRIORITY),
            fields.optionalText("root_event_id").orElse(id),
            fields.number("chain_depth", 0)));
  }
}
