// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.Layout.EventName;
import io.tidemark.objects.internal.json.CanonicalJson;

/** Events as they are stored. */
public final class EventJson {

  private EventJson() {}

  public static ObjectNode write(Event event) {
    ObjectNode json =
        CanonicalJson.object()
            .put("id", event.id())
            .put("namespace", event.namespace())
            .put("type", event.type())
            .put("priority", event.priority())
            .put("root_event_id", event.rootEventId())
            .put("chain_depth", event.chainDepth());
    json.set("payload", event.payloadTree());
    Fields.put(json, "created_at", event.createdAt());
    return json;
  }

  /**
   * Reads an event. Its id is that of its name, as claims go by that; what another program may have
   * left out has its usual value.
   */
  public static Event read(String namespace, EventName name, byte[] bytes)
      throws UnreadableException {
    Fields fields = new Fields(Scope.parse(bytes));
    if (!fields.optionalText("id").orElse(name.id()).equals(name.id())) {
      throw new UnreadableException("has another id than its name says");
    }
    if (!fields.optionalText("namespace").orElse(namespace).equals(namespace)) {
      throw new UnreadableException("is of another namespace than the one it is in");
    }
    String type = fields.text("type");
    JsonNode payload = fields.json().path("payload");
    if (!payload.isObject() && !payload.isMissingNode()) {
      throw fields.wrong("payload");
    }
    return new Event(
        name.id(),
        namespace,
        type,
        payload.isMissingNode() ? "{}" : CanonicalJson.write(payload),
        name.createdAt(),
        fields.number("priority", Event.USUAL_PRIORITY),
        fields.optionalText("root_event_id").orElse(name.id()),
        fields.number("chain_depth", 0));
  }
}
