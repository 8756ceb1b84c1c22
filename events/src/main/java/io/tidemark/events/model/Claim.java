// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * State of one event for one handler, as it is stored.
 *
 * @param sessionId session that claimed it last
 * @param claimedAt when that session claimed it
 * @param leaseUntil when the lease expires; no other session may claim it before
 * @param ackAt when the handler acknowledged it
 * @param attempts number of releases after an error
 * @param leaseExpiries number of leases that expired without a settlement, as after a crash
 * @param availableAt when it can be claimed at the earliest
 * @param lastError error of the last release; empty once it is claimed again
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

  /** Returns whether the claim is final: acknowledged or given up. */
  public boolean isFinished() {
    return ackAt.isPresent() || deadLetteredAt.isPresent();
  }

  /** Returns when it can be claimed, unless it is finished. */
  public Instant dueAt() {
    return leaseUntil.isAfter(availableAt) ? leaseUntil : availableAt;
  }

  /** Returns whether a session holds the lease at the given moment. */
  public boolean isHeldAt(Instant now) {
    return !isFinished() && leaseUntil.isAfter(now);
  }

  /** Returns the number of failures: releases after an error and expired leases. */
  public int failures() {
    return attempts + leaseExpiries;
  }
}
