// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.EventTypes;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Optional;

/**
 * Writer of dead letters. After a claim says that its event is given up, it writes a dead letter,
 * then an event that announces it, then a mark in the claim that both exist. A process may die in
 * between, so any process that finds a claim without the mark repeats all steps. They are
 * idempotent: the dead letter has a key of its own, and the id of the event is derived from its
 * content.
 */
public record DeadLetterWriter(NamespaceStore scope, ClaimStore claims, EventPublisher publisher) {

  /**
   * Event that was given up.
   *
   * @param event empty when it can't be read
   * @param raw text in place of an event or a claim that can't be read
   */
  public record FailedEvent(Optional<Event> event, Optional<String> raw) {
    public static FailedEvent of(Event event) {
      return new FailedEvent(Optional.of(event), Optional.empty());
    }
  }

  /**
   * Writes the dead letter of a claim that was given up, announces it and marks the claim.
   *
   * @return the claim, with the mark
   */
  public StoredClaim complete(StoredClaim given, FailedEvent failedEvent) {
    DeadLetter letter = toDeadLetter(given.claim(), failedEvent);
    boolean foreign = given.writeId().isEmpty();
    if (write(letter) || !foreign) { // another program announces the dead letters that it writes
      publishNotice(letter, failedEvent);
    }
    return claims.markComplete(given);
  }

  private DeadLetter toDeadLetter(Claim claim, FailedEvent failedEvent) {
    return new DeadLetter(
        claim.eventId(),
        claim.handlerId(),
        scope.namespace(),
        claim.deadLetteredAt().orElseThrow(),
        claim.failures(),
        claim.lastError().orElse(""),
        failedEvent.event(),
        failedEvent.raw());
  }

  /** Writes a dead letter; returns whether there was none. */
  private boolean write(DeadLetter letter) {
    String key = scope.layout().deadLetter(letter.eventId(), letter.handlerId());
    try {
      return scope.write(key, Optional.empty(), DeadLetterJson.write(letter)).isPresent();
    } catch (OutcomeUnknownException e) {
      if (scope.store().head(key).isPresent()) {
        return true;
      }
      throw e;
    }
  }

  private void publishNotice(DeadLetter letter, FailedEvent failedEvent) {
    int depth = failedEvent.event().map(Event::chainDepth).orElse(0) + 1;
    if (depth > scope.options().limits().maxChainDepth()) {
      return;
    }
    ObjectNode payload =
        CanonicalJson.object()
            .put("event_id", letter.eventId())
            .put("handler_id", letter.handlerId())
            .put("event_type", failedEvent.event().map(Event::type).orElse(null))
            .put("last_error", letter.lastError())
            .put("attempts", letter.attempts());
    String text = CanonicalJson.write(payload);
    NewEvent event =
        NewEvent.of(EventTypes.DEAD_LETTER, text)
            .withId(
                EventIds.of(
                    EventTypes.DEAD_LETTER,
                    scope.namespace(),
                    letter.eventId(),
                    letter.handlerId()))
            .at(letter.failedAt())
            .withLineage(
                failedEvent.event().map(Event::rootEventId).orElse(letter.eventId()), depth);
    Publication unused = publisher.store(event, text);
  }
}
