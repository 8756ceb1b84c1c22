// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Event;
import io.tidemark.events.store.DeadLetterWriter.FailedEvent;

/** What a process knows of an event beyond its name. */
sealed interface EventContent {

  /** Nothing yet. */
  record Unread() implements EventContent {}

  /** All. */
  record Full(Event event) implements EventContent {}

  /** All but its payload, which was dropped to save memory. */
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

  /** That nobody can handle it. */
  record Unreadable(String reason, FailedEvent subject) implements EventContent {}
}
