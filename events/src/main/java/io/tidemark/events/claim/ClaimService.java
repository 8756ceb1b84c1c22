// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.claim.ClaimAttempt.Outcome;
import io.tidemark.events.claim.ClaimTransitions.Claimant;
import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.ClaimStore;
import io.tidemark.events.store.DeadLetterWriter;
import io.tidemark.events.store.DeadLetterWriter.FailedEvent;
import io.tidemark.events.store.EventPublisher;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.events.store.StoredClaim;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Service that claims the events of a namespace for the handlers of a process, and writes the dead
 * letters of events that are given up.
 */
public final class ClaimService {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimService.class);

  /** Read-ahead limit of events published in this process, as a multiple of that of polls. */
  private static final int OWN_AHEAD = 10;

  private static final Comparator<ClaimHandle> ORDER =
      Comparator.comparing(
              (ClaimHandle claimHandle) -> claimHandle.event().priority(),
              Comparator.reverseOrder())
          .thenComparing(claimHandle -> claimHandle.event().createdAt())
          .thenComparing(claimHandle -> claimHandle.event().id());

  private final NamespaceStore namespaceStore;
  private final EventCache eventCache;
  private final EventPoller eventPoller;
  private final ClaimStore claimStore;
  private final EventPublisher eventPublisher;
  private final DeadLetterWriter deadLetterWriter;
  private final ClaimTransitions claimTransitions;

  /**
   * Parameters of the claims of one request.
   *
   * @param desk state of the handler
   */
  private record ClaimContext(HandlerState desk, String sessionId, Duration lease) {}

  public ClaimService(NamespaceStore namespaceStore) {
    this.namespaceStore = namespaceStore;
    this.eventCache = new EventCache();
    this.eventPoller = new EventPoller(namespaceStore, eventCache);
    this.claimStore = new ClaimStore(namespaceStore);
    int most = OWN_AHEAD * namespaceStore.options().limits().readAhead();
    this.eventPublisher =
        new EventPublisher(namespaceStore, event -> eventCache.addPublished(event, most));
    this.deadLetterWriter = new DeadLetterWriter(namespaceStore, claimStore, eventPublisher);
    this.claimTransitions = new ClaimTransitions(namespaceStore.options());
  }

  public EventPublisher publisher() {
    return eventPublisher;
  }

  public DeadLetterWriter deadLetters() {
    return deadLetterWriter;
  }

  NamespaceStore scope() {
    return namespaceStore;
  }

  ClaimStore claims() {
    return claimStore;
  }

  ClaimTransitions terms() {
    return claimTransitions;
  }

  /** Polls for new events; returns whether there are more to find. */
  public boolean poll() {
    return eventPoller.poll();
  }

  /** Returns the backlog of a handler as of the last poll. */
  public Backlog backlog(String handlerId) {
    return eventCache
        .backlog(handlerId, namespaceStore.now())
        .orElseGet(() -> new Backlog(0, 0, Optional.empty()));
  }

  /** Claims events for a handler. */
  public List<ClaimHandle> claim(ClaimRequest request) {
    ClaimContext claimContext =
        new ClaimContext(
            eventPoller.stateForClaim(request),
            request.sessionId(),
            request.lease().orElse(namespaceStore.options().claimLease()));
    List<ClaimHandle> won = new ArrayList<>();
    Instant begun = namespaceStore.now();
    boolean goOn = true;
    while (goOn && won.size() < request.limit() && isSoonAfter(begun, claimContext)) {
      List<CachedEvent> batch =
          eventCache.takeReady(
              claimContext.desk(), request.limit() - won.size(), namespaceStore.now());
      goOn = !batch.isEmpty() && claim(claimContext, batch, won);
    }
    won.sort(ORDER);
    return won;
  }

  /** Returns whether there is time for another claim, before the first lease runs short. */
  private boolean isSoonAfter(Instant begun, ClaimContext claimContext) {
    return namespaceStore.now().isBefore(begun.plus(claimContext.lease().dividedBy(3)));
  }

  /** Claims a batch of events; returns whether to go on with another batch. */
  private boolean claim(ClaimContext claimContext, List<CachedEvent> batch, List<ClaimHandle> won) {
    Deque<CachedEvent> rest = new ArrayDeque<>(batch);
    try {
      Instant begun = namespaceStore.now();
      while (!rest.isEmpty() && isSoonAfter(begun, claimContext)) {
        Optional<ClaimHandle> hold = claim(claimContext, rest.getFirst());
        rest.removeFirst();
        hold.ifPresent(won::add);
        if (hold.isEmpty()) {
          rest = shuffled(rest); // a faster claimant goes through them in the same order
        }
      }
      return true;
    } catch (TidemarkException e) {
      if (won.isEmpty()) {
        throw e;
      }
      LOG.warn("claimed fewer events than there are: {}", e.getMessage());
      return false;
    } finally {
      eventCache.returnToReady(claimContext.desk(), rest);
    }
  }

  private Deque<CachedEvent> shuffled(Deque<CachedEvent> rest) {
    List<CachedEvent> list = new ArrayList<>(rest);
    Collections.shuffle(list, new Random(namespaceStore.options().random().nextLong()));
    return new ArrayDeque<>(list);
  }

  /** Claims an event that is free as far as is known; empty when it can't be claimed. */
  private Optional<ClaimHandle> claim(ClaimContext claimContext, CachedEvent cachedEvent) {
    HandlerState handlerState = claimContext.desk();
    EventContent eventContent = cachedEvent.content();
    Optional<String> bad =
        eventContent instanceof EventContent.Unreadable reason
            ? Optional.of(reason.reason())
            : Optional.empty();
    Optional<FailedEvent> subject = subject(cachedEvent, eventContent);
    if (subject.isEmpty()) {
      eventCache.remove(cachedEvent);
      return Optional.empty();
    }
    Claimant who =
        new Claimant(
            cachedEvent.id(),
            handlerState.handlerId(),
            claimContext.sessionId(),
            claimContext.lease());
    Outcome outcome =
        new ClaimAttempt(namespaceStore, claimTransitions, who, bad)
            .run(eventCache.lastClaim(handlerState, cachedEvent));
    if (outcome instanceof Outcome.Won won) {
      eventCache.recordClaim(handlerState, cachedEvent, won.stored(), namespaceStore.now());
      return Optional.of(
          new ClaimHandle(
              this, subject.get().event().orElseThrow(), won.stored(), claimContext.lease()));
    }
    if (outcome instanceof Outcome.Lost lost) {
      FailedEvent seen =
          lost.raw().isPresent()
              ? new FailedEvent(subject.get().event(), lost.raw())
              : subject.get();
      recordClaim(handlerState, cachedEvent, lost.current(), seen);
    } else {
      eventCache.returnToReady(handlerState, List.of(cachedEvent));
    }
    return Optional.empty();
  }

  /** Records a claim, and completes its dead letter if another process left it incomplete. */
  private void recordClaim(
      HandlerState handlerState,
      CachedEvent cachedEvent,
      StoredClaim current,
      FailedEvent failedEvent) {
    eventCache.recordClaim(handlerState, cachedEvent, current, namespaceStore.now());
    if (current.isDeadLetterPending()) {
      eventCache.recordClaim(
          handlerState,
          cachedEvent,
          completeDeadLetter(current, failedEvent),
          namespaceStore.now());
    }
  }

  /**
   * Completes the dead letter of a claim that was given up.
   *
   * @return the claim, still incomplete when that has failed: the next claim tries again
   */
  StoredClaim completeDeadLetter(StoredClaim given, FailedEvent failedEvent) {
    try {
      return deadLetterWriter.complete(given, failedEvent);
    } catch (TidemarkException e) {
      LOG.warn("a dead letter of {} is left for later: {}", given.claim(), e.getMessage());
      return given;
    }
  }

  /** Records the current version of a claim, which this or another process wrote. */
  void recordClaim(StoredClaim stored) {
    eventCache.recordClaim(stored, namespaceStore.now());
  }

  /** Returns the event to be handled; empty when it isn't stored any more. */
  private Optional<FailedEvent> subject(CachedEvent cachedEvent, EventContent eventContent) {
    if (eventContent instanceof EventContent.Unreadable unreadable) {
      return Optional.of(unreadable.subject());
    }
    Optional<Event> event =
        eventContent instanceof EventContent.Full full
            ? Optional.of(full.event())
            : eventPoller.reload(cachedEvent);
    return event.map(FailedEvent::of);
  }

  /** Resumes a claim that another process made; empty when it is finished. */
  public Optional<ClaimHandle> resume(Event event, StoredClaim stored) {
    return stored.claim().isFinished()
        ? Optional.empty()
        : Optional.of(new ClaimHandle(this, event, stored, namespaceStore.options().claimLease()));
  }

  /** Writes the cursors of all handlers. */
  public void close() {
    eventPoller.close();
  }
}
