// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.Watermarks;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** JSON form of the events of a watch. */
public final class NameEventJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private NameEventJson() {}

  public static ObjectNode of(NameEvent event) {
    ObjectNode json = JSON.objectNode();
    json.put("type", type(event)).put("address", event.address().toString());
    ArrayNode moved = json.putArray("moved");
    moved(event).forEach(concern -> moved.add(concern.text()));
    json.set("before", marks(event.before()));
    json.set("now", marks(event.now()));
    event.problem().ifPresent(problem -> json.put("problem", problem));
    return json;
  }

  /** Returns the name of an event's type. */
  public static String type(NameEvent event) {
    return event.type().name().toLowerCase(Locale.ROOT);
  }

  /** Returns the moved concerns of an event in the order of the enum. */
  public static List<Concern> moved(NameEvent event) {
    return List.of(Concern.values()).stream().filter(event.moved()::contains).toList();
  }

  private static JsonNode marks(Optional<Watermarks> marks) {
    // Digests are for our own cursors only.
    return marks
        .<JsonNode>map(known -> known.toJson().without("digests"))
        .orElseGet(JSON::nullNode);
  }
}
