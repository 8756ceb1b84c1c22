// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Event;
import io.tidemark.events.store.DeadLetters.Subject;

/** What a process knows of an event beyond its name. */
sealed interface Content {

  /** Nothing yet. */
  record Unread() implements Content {}

  /** All. */
  record Whole(Event event) implements Content {}

  /** All but its payload, which was dropped to save memory. */
  record Lean(Event event) implements Content {
    static Lean of(Event event) {
      return new Lean(
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
  record Bad(String reason, Subject subject) implements Content {}
}
