// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.time.Instant;
import java.util.Optional;

/**
 * Progress of one handler on one event.
 *
 * @param eventId id of the event
 * @param handlerId id of the handler
 * @param sessionId session that claimed the event last
 * @param claimedAt time of the claim
 * @param leaseUntil end of the lease; no other session may claim the event before
 * @param ackAt time of the acknowledgement
 * @param attempts number of releases after an error
 * @param leaseExpiries number of leases that ran out without a word, as after a crash
 * @param availableAt time before which the event can't be claimed
 * @param lastError error of the last release; empty while the event is claimed anew
 * @param deadLetteredAt time at which the handler gave the event up
 */
public record EventClaim(
    String eventId,
    String handlerId,
    String sessionId,
    Instant claimedAt,
    Instant leaseUntil,
    Optional<Instant> ackAt,
    int attempts,
    int leaseExpiries,
    Instant availableAt,
    Optional<String> lastError,
    Optional<Instant> deadLetteredAt) {

  /** Returns the time from which the event can be claimed, unless the handler is done with it. */
  public Instant dueAt() {
    return leaseUntil.isAfter(availableAt) ? leaseUntil : availableAt;
  }

  /** Returns whether a session holds the event at a moment. */
  public boolean isHeldAt(Instant now) {
    return ackAt.isEmpty() && deadLetteredAt.isEmpty() && leaseUntil.isAfter(now);
  }

  /** Returns the number of failures of both kinds. */
  public int failures() {
    return attempts + leaseExpiries;
  }
}
