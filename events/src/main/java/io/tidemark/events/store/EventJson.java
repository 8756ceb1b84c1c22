// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.NamespaceKeys.EventName;
import io.tidemark.objects.internal.json.CanonicalJson;

/** JSON of events. */
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
    JsonFields.put(json, "created_at", event.createdAt());
    return json;
  }

  /**
   * Reads an event. Its id is taken from its name, as claims are by that id. Fields that another
   * program may have left out get their defaults.
   */
  public static Event read(String namespace, EventName name, byte[] bytes)
      throws UnreadableDocumentException {
    JsonFields jsonFields = new JsonFields(NamespaceStore.parse(bytes));
    if (!jsonFields.optionalText("id").orElse(name.id()).equals(name.id())) {
      throw new UnreadableDocumentException("has another id than its name says");
    }
    if (!jsonFields.optionalText("namespace").orElse(namespace).equals(namespace)) {
      throw new UnreadableDocumentException("is of another namespace than the one it is in");
    }
    String type = jsonFields.text("type");
    JsonNode payload = jsonFields.json().path("payload");
    if (!payload.isObject() && !payload.isMissingNode()) {
      throw jsonFields.wrong("payload");
    }
    return new Event(
        name.id(),
        namespace,
        type,
        payload.isMissingNode() ? "{}" : CanonicalJson.write(payload),
        name.createdAt(),
        jsonFields.number("priority", Event.USUAL_PRIORITY),
        jsonFields.optionalText("root_event_id").orElse(name.id()),
        jsonFields.number("chain_depth", 0));
  }
}
