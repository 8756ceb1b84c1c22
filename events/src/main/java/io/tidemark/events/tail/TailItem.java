// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.tail;

import io.tidemark.events.model.Event;
import java.time.Instant;

/** What a tail has found. */
public sealed interface TailItem {

  /** The id of the event. */
  String id();

  /** When it was published. */
  Instant createdAt();

  /** An event. */
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

  /** Something that stands in the place of an event and is none. */
  record Unreadable(String id, Instant createdAt, String problem) implements TailItem {}
}
