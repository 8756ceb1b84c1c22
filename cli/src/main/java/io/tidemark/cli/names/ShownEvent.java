// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Concern;
import io.tidemark.names.watch.Marks;
import io.tidemark.names.watch.NameEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a watch tells, as people and programs see it. */
final class ShownEvent {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ShownEvent() {}

  /** One line: what happened to which record, and from where to where it moved. */
  static String text(NameEvent event) {
    List<String> moves = new ArrayList<>();
    for (Concern concern : movedOf(event)) {
      String before = event.before().map(marks -> watermark(marks, concern) + " -> ").orElse("");
      moves.add(concern.word() + " " + before + watermark(event.now().orElseThrow(), concern));
    }
    if (event.type() == NameEvent.Type.APPEARED && event.now().orElseThrow().retracted()) {
      moves.add("retracted");
    }
    event.problem().ifPresent(moves::add);
    String line = String.format(Locale.ROOT, "%-10s  %s", type(event), event.address());
    return moves.isEmpty() ? line : line + "  " + String.join(", ", moves);
  }

  static ObjectNode json(NameEvent event) {
    ObjectNode json = JSON.objectNode();
    json.put("type", type(event)).put("address", event.address().toString());
    var moved = json.putArray("moved");
    movedOf(event).forEach(concern -> moved.add(concern.word()));
    json.set("before", json(event.before()));
    json.set("now", json(event.now()));
    event.problem().ifPresent(problem -> json.put("problem", problem));
    return json;
  }

  private static JsonNode json(Optional<Marks> marks) {
    // Digests are for our own cursors only.
    return marks
        .<JsonNode>map(known -> known.toJson().without("digests"))
        .orElseGet(JSON::nullNode);
  }

  private static String type(NameEvent event) {
    return event.type().name().toLowerCase(Locale.ROOT);
  }

  /** In the order of the concerns, since a set has none. */
  private static List<Concern> movedOf(NameEvent event) {
    return List.of(Concern.values()).stream().filter(event.moved()::contains).toList();
  }

  private static long watermark(Marks marks, Concern concern) {
    return marks.of(concern).watermark();
  }
}
