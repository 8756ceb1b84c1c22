// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Event;
import io.tidemark.events.store.DeadLetterWriter.FailedEvent;

/** Content of a cached event, as far as it is known beyond the name. */
sealed interface EventContent {

  /** The event hasn't been read. */
  record Unread() implements EventContent {}

  /** The event with its payload. */
  record Full(Event event) implements EventContent {}

  /** The event without its payload, which was dropped to save memory. */
  record WithoutPayload(Event event) implements EventContent {
    static WithoutPayload of(Event event) {
      return new WithoutPayload(
          new Event(
              event.id(),
              event.namespace(),
              event.type(),
              "{}",
              event.createdAt(),
              event.priority(),
              event.rootEventId(),
              event.chainDepth()));
    }
  }

  /** The stored event can't be read, so no handler can handle it. */
  record Unreadable(String reason, FailedEvent subject) implements EventContent {}
}
