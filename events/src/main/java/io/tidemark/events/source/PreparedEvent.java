// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.events.Namespace;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.NewEvent.Lineage;
import io.tidemark.events.model.PayloadJson;
import java.time.Instant;

/** Event in its final form, to be published once its commit has taken place. */
record PreparedEvent(Namespace namespace, Event event) {

  /**
   * Prepares an event, after checking that the bus accepts it.
   *
   * @param now time of the event, unless it has one
   */
  static PreparedEvent of(OutgoingEvent outgoingEvent, Instant now, BusOptions.Limits limits) {
    NewEvent wanted = outgoingEvent.event();
    NameValidator.type(wanted.type());
    String id = wanted.id().orElseGet(() -> EventIds.next(now));
    NameValidator.event(id);
    wanted.createdAt().ifPresent(NameValidator::time);
    Lineage lineage = wanted.lineage().orElseGet(() -> new Lineage(id, 0));
    NameValidator.event(lineage.rootEventId());
    if (lineage.chainDepth() > limits.maxChainDepth()) {
      throw new ChainTooLongException(
          "event "
              + id
              + " would be number "
              + lineage.chainDepth()
              + " of its chain and "
              + limits.maxChainDepth()
              + " are allowed; look for handlers that cause each other's events");
    }
    return new PreparedEvent(
        outgoingEvent.namespace(),
        new Event(
            id,
            outgoingEvent.namespace().name(),
            wanted.type(),
            PayloadJson.check(wanted.payload(), limits.maxPayloadBytes()),
            wanted.createdAt().orElse(now),
            wanted.priority(),
            lineage.rootEventId(),
            lineage.chainDepth()));
  }

  void publish() {
    NewEvent again =
        NewEvent.of(event.type(), event.payload())
            .withPriority(event.priority())
            .withId(event.id())
            .withLineage(event.rootEventId(), event.chainDepth())
            .at(event.createdAt());
    SourcePublisher.publish(namespace, again);
  }
}
