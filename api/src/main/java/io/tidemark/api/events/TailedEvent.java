// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * Event told by a tail. What only a readable event has is empty in one that can't be read.
 *
 * @param id id of the event
 * @param namespace namespace of the event
 * @param type type of the event
 * @param payload payload of the event
 * @param createdAt time of its publication
 * @param priority priority of the event
 * @param rootEventId id of the event that began the chain
 * @param chainDepth number of events before it in the chain
 * @param unreadable reason why the stored event can't be read; empty otherwise
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record TailedEvent(
    String id,
    String namespace,
    Optional<String> type,
    Optional<ObjectNode> payload,
    Instant createdAt,
    Optional<Integer> priority,
    Optional<String> rootEventId,
    Optional<Integer> chainDepth,
    Optional<String> unreadable) {

  /** Returns a readable event. */
  public static TailedEvent of(StoredEvent event) {
    return new TailedEvent(
        event.id(),
        event.namespace(),
        Optional.of(event.type()),
        Optional.of(event.payload()),
        event.createdAt(),
        Optional.of(event.priority()),
        Optional.of(event.rootEventId()),
        Optional.of(event.chainDepth()),
        Optional.empty());
  }

  /** Returns an event that can't be read. */
  public static TailedEvent unreadable(
      String id, String namespace, Instant createdAt, String reason) {
    return new TailedEvent(
        id,
        namespace,
        Optional.empty(),
        Optional.empty(),
        createdAt,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(reason));
  }
}
