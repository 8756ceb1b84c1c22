// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** State transitions of a claim. */
record ClaimTransitions(BusOptions options) {

  /** Event to be claimed, and session that claims it for a handler. */
  record Claimant(String eventId, String handlerId, String sessionId, Duration lease) {}

  private static final String NO_REASON = "handler failure";
  private static final int LONGEST_ERROR = 4_000;
  private static final int JITTER_MICROS = 100_000;

  /** Returns the first claim of a handler on an event. */
  Claim firstClaim(Claimant who, Instant now) {
    return new Claim(
        who.eventId(),
        who.handlerId(),
        who.sessionId(),
        now,
        now.plus(who.lease()),
        Optional.empty(),
        0,
        0,
        now,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Returns a claim made again. An expired lease without a settlement, as after a crash, counts as
   * a failure. Otherwise an event that kills its handlers would do so forever.
   */
  Claim reclaimed(Claim before, Claimant who, Instant now) {
    int silent = before.lastError().isEmpty() ? 1 : 0;
    return before
        .withSessionId(who.sessionId())
        .withClaimedAt(now)
        .withLeaseUntil(now.plus(who.lease()))
        .withAckAt(Optional.empty())
        .withLeaseExpiries(before.leaseExpiries() + silent)
        .withLastError(Optional.empty())
        .withDeadLetteredAt(Optional.empty());
  }

  /** Returns whether an event has failed so often that it is given up. */
  boolean hasExceededAttempts(Claim claim) {
    return claim.failures() >= options.retries().maxAttempts();
  }

  Claim renewed(Claim held, Duration lease, Instant now) {
    return held.withLeaseUntil(now.plus(lease));
  }

  Claim acked(Claim held, Instant now) {
    return held.withAckAt(Optional.of(now)).withDeadLetteredAt(Optional.empty());
  }

  /** Returns the claim after a failure of its handler: to be retried, or given up. */
  Claim released(Claim held, String error, Instant now) {
    Claim failed = failed(held, error, now);
    return hasExceededAttempts(failed) ? deadLettered(failed, now) : failed;
  }

  /** Returns the claim after a permanent failure of its handler. */
  Claim givenUp(Claim held, String reason, Instant now) {
    return deadLettered(failed(held, reason, now), now);
  }

  /** Returns the claim given up without another attempt. */
  Claim deadLettered(Claim claim, String reason, Instant now) {
    return deadLettered(with(claim, claim.attempts(), now, now, reason), now);
  }

  private Claim failed(Claim held, String error, Instant now) {
    int attempts = held.attempts() + 1;
    return with(held, attempts, now, now.plus(backoff(attempts)), error);
  }

  private Duration backoff(int attempts) {
    Duration longest = options.retries().backoffMax();
    Duration backoff = options.retries().backoffBase();
    for (int i = 0; i < attempts && backoff.compareTo(longest) < 0; i++) {
      backoff = backoff.multipliedBy(2);
    }
    Duration capped = backoff.compareTo(longest) < 0 ? backoff : longest;
    long jitter = options.random().nextLong(JITTER_MICROS + 1);
    return capped.plusNanos(jitter * 1_000);
  }

  private static Claim with(
      Claim claim, int attempts, Instant now, Instant availableAt, String error) {
    String text = error.isBlank() ? NO_REASON : error;
    return claim
        .withLeaseUntil(now)
        .withAckAt(Optional.empty())
        .withAttempts(attempts)
        .withAvailableAt(availableAt)
        .withLastError(
            Optional.of(text.length() > LONGEST_ERROR ? text.substring(0, LONGEST_ERROR) : text))
        .withDeadLetteredAt(Optional.empty());
  }

  private static Claim deadLettered(Claim claim, Instant now) {
    return claim
        .withLeaseUntil(now)
        .withAckAt(Optional.empty())
        .withAvailableAt(now)
        .withDeadLetteredAt(Optional.of(now));
  }
}
