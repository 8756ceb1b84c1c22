// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.Delivery;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Settlement;
import io.tidemark.events.model.UndecodablePayloadException;
import io.tidemark.events.run.HandlerScheduler.Turn;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker that takes turns for handlers, one after the other: it claims an event, calls the handler,
 * publishes the emitted events, and settles the event, in this order. If the process dies before
 * the last step, the event is handled again, and the emitted events are published again under the
 * same ids.
 */
final class Worker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  /** Reason for giving up an event that would make its chain too long. */
  static final String TOO_DEEP = "max_event_chain_depth";

  private static final int LONGEST_ERROR = 2_000;

  private static final DeliveryCounts ACKED = new DeliveryCounts(1, 0, 0, 0, 0);
  private static final DeliveryCounts RELEASED = new DeliveryCounts(0, 1, 0, 0, 0);
  private static final DeliveryCounts DEAD_LETTERED = new DeliveryCounts(0, 0, 1, 0, 0);
  private static final DeliveryCounts SUPERSEDED = new DeliveryCounts(0, 0, 0, 1, 0);
  private static final DeliveryCounts UNSETTLED = new DeliveryCounts(0, 0, 0, 0, 1);

  private final RunnerContext place;
  private final HandlerScheduler handlerScheduler;
  private final LeaseRenewer leaseRenewer;
  private final Consumer<DeliveryCounts> tell;

  Worker(
      RunnerContext place,
      HandlerScheduler handlerScheduler,
      LeaseRenewer leaseRenewer,
      Consumer<DeliveryCounts> tell) {
    this.place = place;
    this.handlerScheduler = handlerScheduler;
    this.leaseRenewer = leaseRenewer;
    this.tell = tell;
  }

  @Override
  public void run() {
    try {
      for (Optional<Turn> turn = handlerScheduler.next();
          turn.isPresent();
          turn = handlerScheduler.next()) {
        take(turn.get());
        boolean unused = Thread.interrupted(); // the interrupt was for the handler
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the runner is closed, and nothing was begun
    }
  }

  private void take(Turn turn) {
    List<Delivery> claimed = claim(turn);
    if (claimed.isEmpty()) {
      handlerScheduler.recordNoWork(turn);
      return;
    }
    handlerScheduler.recordWork(turn);
    try {
      for (Delivery delivery : claimed) {
        tell.accept(handle(turn.lane().registration(), delivery));
      }
    } finally {
      handlerScheduler.end(turn);
    }
  }

  /** Claims an event; after the first turn of an iteration only if one is known to be there. */
  private List<Delivery> claim(Turn turn) {
    HandlerRegistration handler = turn.lane().registration();
    if (!turn.first() && place.namespace().backlog(handler.id()).claimable() == 0) {
      return List.of();
    }
    try {
      return place
          .namespace()
          .claim(new ClaimRequest(handler.id(), handler.interest(), 1, place.sessionId()));
    } catch (RuntimeException e) {
      LOG.warn("{} can't claim events at the moment: {}", handler.id(), e.getMessage(), e);
      return List.of();
    }
  }

  private DeliveryCounts handle(HandlerRegistration handler, Delivery delivery) {
    try (LeaseRenewer.ManagedLease managedLease = leaseRenewer.keepRenewing(delivery);
        EventContext eventContext =
            new EventContext(place, delivery, managedLease, handler.ledger())) {
      return settle(handler, eventContext, delivery, managedLease);
    } catch (RuntimeException e) {
      LOG.warn(
          "event {} of {} is left to its lease: {}",
          delivery.event().id(),
          handler.id(),
          e.getMessage(),
          e);
      return UNSETTLED;
    }
  }

  /** Handles an event; anything that the handler throws counts as its failure. */
  @SuppressWarnings("CatchingUnchecked")
  private DeliveryCounts settle(
      HandlerRegistration handler,
      EventContext eventContext,
      Delivery delivery,
      LeaseRenewer.ManagedLease managedLease) {
    try {
      handler.handler().handle(eventContext);
      if (managedLease.isLost()) {
        return tooLate(delivery);
      }
      if (eventContext.flush()) {
        handlerScheduler.markNewEvents();
      }
    } catch (ChainTooLongException e) {
      return report(delivery, delivery.deadLetter(TOO_DEEP), DEAD_LETTERED, TOO_DEEP);
    } catch (UndecodablePayloadException | PermanentFailureException e) {
      String reason = shortened(String.valueOf(e.getMessage()));
      return report(delivery, delivery.deadLetter(reason), DEAD_LETTERED, reason);
    } catch (Throwable e) {
      boolean unused = Thread.interrupted(); // or the release would be cancelled
      LOG.debug("{} has failed with event {}", handler.id(), delivery.event().id(), e);
      String error = describe(e);
      return report(delivery, delivery.release(error), RELEASED, error);
    }
    return delivery.ack().settled() ? ACKED : tooLate(delivery);
  }

  private static DeliveryCounts report(
      Delivery delivery, Settlement end, DeliveryCounts deliveryCounts, String error) {
    if (!end.settled()) {
      return tooLate(delivery);
    }
    LOG.warn(
        "{} has failed with event {} of type {}, attempt {}: {}",
        delivery.handlerId(),
        delivery.event().id(),
        delivery.event().type(),
        delivery.attempt(),
        error);
    return deliveryCounts;
  }

  private static DeliveryCounts tooLate(Delivery delivery) {
    LOG.warn(
        "{} was superseded: it has handled event {}, but its lease had run out and somebody else"
            + " has claimed it, who settles it",
        delivery.handlerId(),
        delivery.event().id());
    return SUPERSEDED;
  }

  private static String describe(Throwable e) {
    String message = e.getMessage();
    String kind = e.getClass().getSimpleName();
    return shortened(message == null || message.isBlank() ? kind : kind + ": " + message);
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR) + "...";
  }
}
