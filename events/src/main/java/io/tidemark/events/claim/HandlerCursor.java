// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Cursor of a handler: the events that it is done with, as stored. All events in it are done, so
 * any process can use the cursor of another. Losing a cursor costs nothing but requests.
 *
 * @param upTo all events whose names aren't after this one are done; empty for none
 * @param finished ids of later events that are done too; not necessarily all
 */
record HandlerCursor(String upTo, Set<String> finished) {

  /** Maximum number of ids after {@code upTo}; of further events the claims are read. */
  static final int MOST_FINISHED = 2_000;

  private static final int MOST_READ = 100_000;

  static final HandlerCursor START = new HandlerCursor("", Set.of());

  HandlerCursor {
    finished = Set.copyOf(finished);
  }

  /**
   * Returns what is known from both. Nothing is kept of a cursor that is behind: its ids may be of
   * events before the other's name, which would never be forgotten, and an id that is cleaned up
   * may be used again.
   */
  HandlerCursor intersect(HandlerCursor other) {
    int ahead = ObjectKeys.ORDER.compare(upTo, other.upTo);
    if (ahead != 0) {
      return ahead > 0 ? this : other;
    }
    Set<String> both = new LinkedHashSet<>(finished);
    for (String id : other.finished) {
      if (both.size() < MOST_FINISHED) {
        both.add(id);
      }
    }
    return new HandlerCursor(upTo, both);
  }

  ObjectNode write(String handlerId, EventTypeFilter eventTypeFilter, Instant now) {
    ObjectNode json =
        CanonicalJson.object()
            .put("handler_id", handlerId)
            .put("up_to", upTo)
            .put("updated_at", UtcTimestamp.format(now));
    json.set("types", types(eventTypeFilter));
    ArrayNode ids = json.putArray("finished");
    finished.stream().sorted().forEach(ids::add);
    return json;
  }

  /** Reads a cursor; empty when it is for another filter, or no cursor. */
  static Optional<HandlerCursor> read(ObjectNode json, EventTypeFilter eventTypeFilter) {
    JsonNode upTo = json.path("up_to");
    JsonNode ids = json.path("finished");
    if (!upTo.isTextual() || !ids.isArray() || !json.path("types").equals(types(eventTypeFilter))) {
      return Optional.empty();
    }
    Set<String> finished = new LinkedHashSet<>();
    for (JsonNode id : ids) {
      if (id.isTextual() && finished.size() < MOST_READ) {
        finished.add(id.textValue());
      }
    }
    return Optional.of(new HandlerCursor(upTo.textValue(), finished));
  }

  /** Returns the types in order; null for all. */
  private static JsonNode types(EventTypeFilter eventTypeFilter) {
    if (!(eventTypeFilter instanceof EventTypeFilter.Types some)) {
      return CanonicalJson.object().nullNode();
    }
    ArrayNode types = CanonicalJson.object().arrayNode();
    some.types().stream().sorted().forEach(types::add);
    return types;
  }
}
