// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.Settlement;
import io.tidemark.events.store.DeadLetterWriter.FailedEvent;
import io.tidemark.events.store.StoredClaim;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Handle of a claim that a handler holds. Each operation is one write on condition that the claim
 * is in the version that this handle wrote last. A stale operation has no effect.
 */
public final class ClaimHandle {

  private final ClaimService claimService;
  private final Event event;
  private final int attempt;
  private final Duration lease;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile StoredClaim current;
  private boolean over;

  ClaimHandle(ClaimService claimService, Event event, StoredClaim claimed, Duration lease) {
    this.claimService = claimService;
    this.event = event;
    this.current = claimed;
    this.lease = lease;
    this.attempt = claimed.claim().failures() + 1;
  }

  public Event event() {
    return event;
  }

  /** Returns the claim as last written by this handle. */
  public StoredClaim current() {
    return current;
  }

  public int attempt() {
    return attempt;
  }

  public Settlement ack() {
    return write(held -> claimService.terms().acked(held, claimService.scope().now()));
  }

  public Settlement release(String error) {
    return write(held -> claimService.terms().released(held, error, claimService.scope().now()));
  }

  public Settlement deadLetter(String reason) {
    return write(held -> claimService.terms().givenUp(held, reason, claimService.scope().now()));
  }

  /** Renews the lease for its initial duration. */
  public Settlement renew() {
    return renew(lease);
  }

  public Settlement renew(Duration other) {
    return write(held -> claimService.terms().renewed(held, other, claimService.scope().now()));
  }

  private Settlement write(UnaryOperator<Claim> change) {
    lock.lock();
    try {
      if (over) {
        return new Settlement.Superseded();
      }
      Optional<StoredClaim> next =
          claimService.claims().replace(current, change.apply(current.claim()));
      over = next.isEmpty();
      return next.map(this::settled).orElseGet(Settlement.Superseded::new);
    } finally {
      lock.unlock();
    }
  }

  private Settlement settled(StoredClaim next) {
    current = next;
    over = next.claim().isFinished() || next.claim().lastError().isPresent();
    claimService.recordClaim(next);
    if (next.isDeadLetterPending()) {
      claimService.recordClaim(claimService.completeDeadLetter(next, FailedEvent.of(event)));
    }
    return new Settlement.Settled(next.claim());
  }
}
