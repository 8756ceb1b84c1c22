// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.events.claim.ClaimHandle;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.Settlement;
import java.time.Duration;
import java.time.Instant;

/**
 * An event in the hands of a handler until its lease runs out. It is to be settled by {@link #ack},
 * {@link #release} or {@link #deadLetter}; if that doesn't happen, it is delivered again.
 *
 * <p>Each of these is one conditional write on the version of the claim that this delivery has
 * made, so that one that comes too late has no effect on whoever has the event by then. Safe for
 * use by several threads, such as one that works and one that renews.
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

  /** The claim as this delivery has last written it. */
  public Claim claim() {
    return claimHandle.current().claim();
  }

  /** 1 for the first time that the handler gets the event. */
  public int attempt() {
    return claimHandle.attempt();
  }

  /**
   * The same at every delivery of the event to the handler. As an event can be delivered more than
   * once, what isn't to be done twice is done under this key.
   */
  public String idempotencyKey() {
    return event().namespace() + "/" + event().id() + "/" + handlerId();
  }

  /** When somebody else may claim the event. */
  public Instant leaseUntil() {
    return claim().leaseUntil();
  }

  /** The handler is through with the event and never gets it again. */
  public Settlement ack() {
    return claimHandle.ack();
  }

  /**
   * The handler has failed. The event is delivered again after a while, or given up if it has
   * failed too often.
   *
   * @param error what went wrong; when it is empty, "handler failure"
   */
  public Settlement release(String error) {
    return claimHandle.release(error);
  }

  /** Gives the event up at once, because trying again would make no difference. */
  public Settlement deadLetter(String reason) {
    return claimHandle.deadLetter(reason);
  }

  /** Makes the lease last as long from now as it did at first. */
  public Settlement renew() {
    return claimHandle.renew();
  }

  /** Makes the lease last so long from now. */
  public Settlement renew(Duration lease) {
    return claimHandle.renew(lease);
  }

  @Override
  public String toString() {
    return idempotencyKey() + ", attempt " + attempt();
  }
}
