// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.util.List;
import java.util.Optional;

/**
 * Stored details of an event.
 *
 * @param eventId id of the event
 * @param status state of the event
 * @param event event; empty if it was deleted or can't be read
 * @param claims one claim for each handler that has claimed the event
 * @param deadLetters one dead letter for each handler that has given it up
 */
public record EventDetails(
    String eventId,
    EventState status,
    Optional<StoredEvent> event,
    List<EventClaim> claims,
    List<DeadLetterEntry> deadLetters) {
  public EventDetails {
    claims = List.copyOf(claims);
    deadLetters = List.copyOf(deadLetters);
  }
}
