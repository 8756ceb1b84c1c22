// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * How far one handler is with one event, as it is stored.
 *
 * @param sessionId who claimed it last
 * @param claimedAt when
 * @param leaseUntil until then nobody else may claim it
 * @param ackAt when the handler was through with it
 * @param attempts how often it was released after an error
 * @param leaseExpiries how often a lease ran out without any word, as after a crash
 * @param availableAt not claimable before
 * @param lastError why it was last released; empty while it is claimed anew
 * @param deadLetteredAt when it was given up
 */
@RecordBuilder
public record Claim(
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
    Optional<Instant> deadLetteredAt)
    implements ClaimBuilder.With {

  /** Whether nothing will happen to it any more. */
  public boolean isFinished() {
    return ackAt.isPresent() || deadLetteredAt.isPresent();
  }

  /** From when on it can be claimed, unless it is finished. */
  public Instant dueAt() {
    return leaseUntil.isAfter(availableAt) ? leaseUntil : availableAt;
  }

  /** Whether somebody is at work on it. */
  public boolean isHeldAt(Instant now) {
    return !isFinished() && leaseUntil.isAfter(now);
  }

  /** How often it has failed, in one way or the other. */
  public int failures() {
    return attempts + leaseExpiries;
  }
}
