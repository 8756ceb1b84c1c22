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
 * An event in the hands of a handler, and what the handler can do about it. Of use until the
 * handler returns. To be used by one thread at a time.
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

  /** 1 for the first time that the handler gets the event. */
  public int attempt() {
    return delivery.attempt();
  }

  /** The same whenever the handler gets the event; what isn't to be done twice is done under it. */
  public String idempotencyKey() {
    return delivery.idempotencyKey();
  }

  /** When somebody else may claim the event, unless the runner renews the lease, as it does. */
  public Instant leaseUntil() {
    return delivery.leaseUntil();
  }

  /**
   * Whether the event is still the handler's own as far as is known. Who works for long may ask,
   * and stop when it isn't: what else it does is then done by somebody else too.
   */
  public boolean isHeld() {
    return !managedLease.isLost() && clock.instant().isBefore(delivery.leaseUntil());
  }

  /**
   * Publishes an event that follows from this one when the handler returns, before the event counts
   * as handled; nothing when the handler fails. A handler that gets the event again and emits the
   * same in the same order publishes nothing twice, as far as handlers see.
   *
   * @throws ChainTooLongException when too many events have caused each other. A handler that fails
   *     with it isn't given the event again
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
   * A session of the handler's ledger, the same until the handler returns. What isn't committed by
   * then is dropped.
   */
  public Session session() {
    Session open = session;
    if (open == null) {
      open = access().sessions().get();
      session = open;
    }
    return open;
  }

  /** Commits what is queued; see {@link #commit(Map)}. */
  public Optional<Commit> commit() {
    return commit(Map.of());
  }

  /**
   * Commits what is queued in {@link #session()}, and with it what was emitted until now: that is
   * published exactly if the commit takes place, even if the handler fails afterwards or its
   * process dies. When there is nothing to change, there is no commit and it is published alone.
   *
   * @throws LeaseExpiredException when the event may be somebody else's by now; nothing is
   *     committed, and what was queued is dropped
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

  /** Publishes what was emitted; returns whether there was anything. */
  boolean flush() {
    if (pendingEvents.isEmpty()) {
      return false;
    }
    pendingEvents.flush();
    return true;
  }

  /** Drops what is queued and not committed. */
  @Override
  public void close() {
    Session open = session;
    session = null;
    if (open != null) {
      open.close();
    }
  }
}
