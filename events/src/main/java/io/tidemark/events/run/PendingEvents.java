// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.Namespace;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.events.source.OutgoingEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Events that a handler has emitted and that aren't published yet. Their ids are derived from the
 * event, the handler and the number of events emitted before, so a handler that repeats its work
 * emits the same events.
 */
final class PendingEvents {
  private final Event cause;
  private final String handlerId;
  private final int maxChainDepth;
  private final List<OutgoingEvent> waiting = new ArrayList<>();
  private int count;

  PendingEvents(Event cause, String handlerId, int maxChainDepth) {
    this.cause = cause;
    this.handlerId = handlerId;
    this.maxChainDepth = maxChainDepth;
  }

  synchronized void add(Namespace namespace, NewEvent event) {
    if (cause.chainDepth() >= maxChainDepth) {
      throw new ChainTooLongException(
          "%s can't emit %s: event %s is number %d of its chain already, and %d is the limit"
                  .formatted(handlerId, event.type(), cause.id(), cause.chainDepth(), maxChainDepth)
              + "; look for handlers that cause each other's events");
    }
    NewEvent next = event.causedBy(cause);
    String id =
        EventIds.of("emit", cause.namespace(), cause.id(), handlerId, Integer.toString(count));
    waiting.add(new OutgoingEvent(namespace, event.id().isPresent() ? next : next.withId(id)));
    count++;
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Returns the unpublished events, to go with a commit. */
  synchronized List<OutgoingEvent> pending() {
    return List.copyOf(waiting);
  }

  /** Removes events that have been published. */
  synchronized void remove(List<OutgoingEvent> published) {
    waiting.removeAll(published);
  }

  /**
   * Publishes the pending events. Publishing is idempotent, so events published before aren't
   * duplicated.
   */
  void flush() {
    for (OutgoingEvent emitted : pending()) {
      Publication unused = emitted.namespace().publish(emitted.event());
      remove(List.of(emitted));
    }
  }
}
