// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.events.claim.ClaimHandle;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.Settlement;
import java.time.Duration;
import java.time.Instant;

/**
 * Event claimed for a handler until its lease expires. The handler settles it with {@link #ack},
 * {@link #release} or {@link #deadLetter}; otherwise the event is delivered again.
 *
 * <p>Each of these methods is one write that is conditional on the claim version that this delivery
 * wrote last. A stale call therefore has no effect on a later holder of the event. Safe for use by
 * several threads, such as one that works and one that renews the lease.
 */
public final class Delivery {

  private final ClaimHandle claimHandle;

  Delivery(ClaimHandle claimHandle) {
    this.claimHandle = claimHandle;
  }

  public Event event() {
    return claimHandle.event();
  }

  public String handlerId() {
    return claim().handlerId();
  }

  public String sessionId() {
    return claim().sessionId();
  }

  /** Returns the claim as last written by this delivery. */
  public Claim claim() {
    return claimHandle.current().claim();
  }

  /** Returns the number of the attempt, 1 for the first delivery of the event to the handler. */
  public int attempt() {
    return claimHandle.attempt();
  }

  /**
   * Returns a key that is the same at every delivery of the event to the handler. As an event can
   * be delivered more than once, the handler makes its effects idempotent with this key.
   */
  public String idempotencyKey() {
    return event().namespace() + "/" + event().id() + "/" + handlerId();
  }

  /** Returns when the lease expires and another session may claim the event. */
  public Instant leaseUntil() {
    return claim().leaseUntil();
  }

  /** Acknowledges the event: the handler is done with it and never gets it again. */
  public Settlement ack() {
    return claimHandle.ack();
  }

  /**
   * Releases the event after a failure of the handler. The event is delivered again after a
   * backoff, or given up if it has failed too often.
   *
   * @param error what went wrong; when it is empty, "handler failure"
   */
  public Settlement release(String error) {
    return claimHandle.release(error);
  }

  /** Gives the event up at once, because a retry would fail too. */
  public Settlement deadLetter(String reason) {
    return claimHandle.deadLetter(reason);
  }

  /** Renews the lease: it lasts as long from now as it did at first. */
  public Settlement renew() {
    return claimHandle.renew();
  }

  /** Renews the lease: it lasts for the given duration from now. */
  public Settlement renew(Duration lease) {
    return claimHandle.renew(lease);
  }

  @Override
  public String toString() {
    return idempotencyKey() + ", attempt " + attempt();
  }
}
