// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.util.List;
import java.util.Optional;

/**
 * Everything that is stored about one event.
 *
 * @param event empty when it has been cleaned up, or can't be read
 * @param status status over all handlers
 * @param claims one for each handler that has claimed it; those that can't be read are left out
 * @param deadLetters one for each handler that has given it up
 */
public record Inspection(
    String eventId,
    Optional<Event> event,
    EventStatus status,
    List<Claim> claims,
    List<DeadLetter> deadLetters) {
  public Inspection {
    claims = List.copyOf(claims);
    deadLetters = List.copyOf(deadLetters);
  }
}
