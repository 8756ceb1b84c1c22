// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.tail;

import io.tidemark.events.model.Event;
import java.time.Instant;

/** Item that a tail delivers. */
public sealed interface TailItem {

  /** Returns the id of the event. */
  String id();

  /** Returns when the event was published. */
  Instant createdAt();

  /** A readable event. */
  record Published(Event event) implements TailItem {
    @Override
    public String id() {
      return event.id();
    }

    @Override
    public Instant createdAt() {
      return event.createdAt();
    }
  }

  /** An unreadable object in place of an event. */
  record Unreadable(String id, Instant createdAt, String problem) implements TailItem {}
}
