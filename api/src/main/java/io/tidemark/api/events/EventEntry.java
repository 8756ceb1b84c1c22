// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * Entry of a listing of events. What only a readable event has is empty in one that can't be read.
 *
 * @param id id of the event
 * @param namespace namespace of the event
 * @param type type of the event
 * @param payload payload of the event
 * @param createdAt time of its publication
 * @param priority priority of the event
 * @param rootEventId id of the event that began the chain
 * @param chainDepth number of events before it in the chain
 * @param unreadable true if the stored event can't be read; empty otherwise
 * @param status state of the event
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record EventEntry(
    String id,
    String namespace,
    Optional<String> type,
    Optional<ObjectNode> payload,
    Instant createdAt,
    Optional<Integer> priority,
    Optional<String> rootEventId,
    Optional<Integer> chainDepth,
    Optional<Boolean> unreadable,
    EventState status) {

  /** Returns the entry of a readable event. */
  public static EventEntry of(StoredEvent event, EventState status) {
    return new EventEntry(
        event.id(),
        event.namespace(),
        Optional.of(event.type()),
        Optional.of(event.payload()),
        event.createdAt(),
        Optional.of(event.priority()),
        Optional.of(event.rootEventId()),
        Optional.of(event.chainDepth()),
        Optional.empty(),
        status);
  }

  /** Returns the entry of an event that can't be read. */
  public static EventEntry unreadable(
      String id, String namespace, Instant createdAt, EventState status) {
    return new EventEntry(
        id,
        namespace,
        Optional.empty(),
        Optional.empty(),
        createdAt,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(true),
        status);
  }
}
