// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.events;

import io.tidemark.api.events.ClaimedEvent;
import io.tidemark.api.events.DeadLetterEntry;
import io.tidemark.api.events.EventClaim;
import io.tidemark.api.events.EventCleanupResult;
import io.tidemark.api.events.EventDetails;
import io.tidemark.api.events.EventEntry;
import io.tidemark.api.events.EventState;
import io.tidemark.api.events.NamespaceStats;
import io.tidemark.api.events.PublishedEvent;
import io.tidemark.api.events.SessionEntry;
import io.tidemark.api.events.StoredEvent;
import io.tidemark.api.events.TailedEvent;
import io.tidemark.events.Delivery;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.CleanupReport;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NamespaceInfo;
import io.tidemark.events.model.Publication;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.events.tail.TailItem;
import java.time.Instant;

/** Mapper of the types of the event bus to results of the services. */
final class EventResultMapper {

  private EventResultMapper() {}

  static StoredEvent event(Event event) {
    return new StoredEvent(
        event.id(),
        event.namespace(),
        event.type(),
        event.payloadTree(),
        event.createdAt(),
        event.priority(),
        event.rootEventId(),
        event.chainDepth());
  }

  static PublishedEvent published(Publication publication) {
    return new PublishedEvent(
        event(publication.event()), publication instanceof Publication.Published);
  }

  private static EventState state(EventStatus status) {
    return switch (status) {
      case DEAD_LETTERED -> EventState.DEAD_LETTERED;
      case ACKED -> EventState.ACKED;
      case CLAIMED -> EventState.CLAIMED;
      case PENDING -> EventState.PENDING;
    };
  }

  static EventEntry entry(String namespace, ListedEvent listed) {
    EventState state = state(listed.status());
    return listed
        .event()
        .map(event -> EventEntry.of(event(event), state))
        .orElseGet(() -> EventEntry.unreadable(listed.id(), namespace, listed.createdAt(), state));
  }

  static TailedEvent tailed(String namespace, TailItem tailItem) {
    if (tailItem instanceof TailItem.Published published) {
      return TailedEvent.of(event(published.event()));
    }
    TailItem.Unreadable unreadable = (TailItem.Unreadable) tailItem;
    return TailedEvent.unreadable(
        unreadable.id(), namespace, unreadable.createdAt(), unreadable.problem());
  }

  static EventClaim claim(Claim claim) {
    return new EventClaim(
        claim.eventId(),
        claim.handlerId(),
        claim.sessionId(),
        claim.claimedAt(),
        claim.leaseUntil(),
        claim.ackAt(),
        claim.attempts(),
        claim.leaseExpiries(),
        claim.availableAt(),
        claim.lastError(),
        claim.deadLetteredAt());
  }

  static DeadLetterEntry deadLetter(DeadLetter letter) {
    return new DeadLetterEntry(
        letter.eventId(),
        letter.handlerId(),
        letter.namespace(),
        letter.failedAt(),
        letter.attempts(),
        letter.lastError(),
        letter.event().map(Event::type),
        letter.event().map(EventResultMapper::event),
        letter.raw());
  }

  static ClaimedEvent claimed(Delivery delivery) {
    return new ClaimedEvent(
        delivery.event().id(),
        delivery.handlerId(),
        delivery.sessionId(),
        delivery.attempt(),
        delivery.leaseUntil(),
        delivery.idempotencyKey(),
        event(delivery.event()));
  }

  static EventDetails details(Inspection found) {
    return new EventDetails(
        found.eventId(),
        state(found.status()),
        found.event().map(EventResultMapper::event),
        found.claims().stream().map(EventResultMapper::claim).toList(),
        found.deadLetters().stream().map(EventResultMapper::deadLetter).toList());
  }

  static SessionEntry session(SessionInfo session) {
    return new SessionEntry(
        session.sessionId(),
        session.namespace(),
        session.startedAt(),
        session.lastHeartbeat(),
        session.dead(),
        session.metadata());
  }

  static NamespaceStats stats(NamespaceInfo namespace) {
    return new NamespaceStats(
        namespace.namespace(),
        namespace.pendingEvents(),
        namespace.activeSessions(),
        namespace.deadSessions(),
        namespace.deadLetters());
  }

  static EventCleanupResult cleanup(String namespace, Instant before, CleanupReport done) {
    return new EventCleanupResult(
        namespace,
        before,
        done.events(),
        done.claims(),
        done.deadLetters(),
        done.sessions(),
        done.kept());
  }
}
