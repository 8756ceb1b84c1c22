// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.Delivery;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.source.OutgoingEvent;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Session;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Context of one delivery: the event, and the operations that a handler can do on it. Valid until
 * the handler returns. For use by one thread at a time.
 */
public final class EventContext implements AutoCloseable {
  private final Namespace namespace;
  private final Delivery delivery;
  private final LeaseRenewer.ManagedLease managedLease;
  private final Optional<LedgerAccess> ledger;
  private final Clock clock;
  private final PendingEvents pendingEvents;
  private @Nullable Session session; // null until one is asked for

  EventContext(
      RunnerContext place,
      Delivery delivery,
      LeaseRenewer.ManagedLease managedLease,
      Optional<LedgerAccess> ledger) {
    this.namespace = place.namespace();
    this.delivery = delivery;
    this.managedLease = managedLease;
    this.ledger = ledger;
    this.clock = place.clock();
    this.pendingEvents =
        new PendingEvents(delivery.event(), delivery.handlerId(), place.maxChainDepth());
  }

  public Event event() {
    return delivery.event();
  }

  public String handlerId() {
    return delivery.handlerId();
  }

  /** Returns the number of the attempt, 1 for the first delivery of the event to the handler. */
  public int attempt() {
    return delivery.attempt();
  }

  /** Returns a key that is the same at every delivery, with which the handler is idempotent. */
  public String idempotencyKey() {
    return delivery.idempotencyKey();
  }

  /** Returns when the lease expires, unless the runner renews it, as it does. */
  public Instant leaseUntil() {
    return delivery.leaseUntil();
  }

  /**
   * Returns whether the handler still holds the event as far as is known. A long-running handler
   * may ask and stop when it doesn't: another session then handles the event too.
   */
  public boolean isHeld() {
    return !managedLease.isLost() && clock.instant().isBefore(delivery.leaseUntil());
  }

  /**
   * Publishes an event that follows from this one when the handler returns, before the event counts
   * as handled; nothing when the handler fails. A handler that gets the event again and emits the
   * same events in the same order publishes no duplicates, as far as handlers see.
   *
   * @throws ChainTooLongException when the chain of causes is too long. A handler that fails with
   *     it isn't given the event again
   */
  public void emit(NewEvent event) {
    emit(namespace, event);
  }

  /** Publishes a typed event; see {@link #emit(NewEvent)}. */
  public void emit(Record event) {
    emit(NewEvent.of(event));
  }

  /** Publishes an event in another namespace; see {@link #emit(NewEvent)}. */
  public void emit(Namespace where, NewEvent event) {
    pendingEvents.add(where, event);
  }

  /**
   * Returns a session of the handler's ledger, the same until the handler returns. Changes that
   * aren't committed by then are dropped.
   */
  public Session session() {
    Session open = session;
    if (open == null) {
      open = access().sessions().get();
      session = open;
    }
    return open;
  }

  /** Commits queued changes; see {@link #commit(Map)}. */
  public Optional<Commit> commit() {
    return commit(Map.of());
  }

  /**
   * Commits the changes queued in {@link #session()} together with the events emitted until now.
   * The events are published exactly if the commit takes place, even if the handler fails
   * afterwards or its process dies. When there is nothing to change, there is no commit and the
   * events are published alone.
   *
   * @throws LeaseExpiredException when another session may have the event by now; nothing is
   *     committed, and the queued changes are dropped
   */
  public Optional<Commit> commit(Map<String, String> metadata) {
    List<OutgoingEvent> events = pendingEvents.pending();
    HeldLeaseCondition terms = new HeldLeaseCondition(this::isHeld);
    Optional<Commit> commit =
        terms.wasHeld()
            ? access().outbox().commit(session(), metadata, terms, events)
            : Optional.empty();
    if (commit.isEmpty() && !terms.wasHeld()) {
      close();
      throw new LeaseExpiredException(
          "the lease of %s on event %s ran out at %s; nothing was committed"
              .formatted(handlerId(), event().id(), leaseUntil()));
    }
    pendingEvents.remove(events);
    return commit;
  }

  private LedgerAccess access() {
    return ledger.orElseThrow(
        () ->
            new IllegalStateException(
                "the handler " + handlerId() + " has no ledger; register it withLedger"));
  }

  /** Publishes the emitted events; returns whether there were any. */
  boolean flush() {
    if (pendingEvents.isEmpty()) {
      return false;
    }
    pendingEvents.flush();
    return true;
  }

  /** Drops queued changes that aren't committed. */
  @Override
  public void close() {
    Session open = session;
    session = null;
    if (open != null) {
      open.close();
    }
  }
}
