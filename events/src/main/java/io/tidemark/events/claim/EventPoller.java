// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.DeadLetterWriter.FailedEvent;
import io.tidemark.events.store.EventJson;
import io.tidemark.events.store.NamespaceKeys;
import io.tidemark.events.store.NamespaceKeys.EventName;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.events.store.UnreadableDocumentException;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.threads.Parallel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Poller that keeps the cache up to date: it finds events, reads them, and writes the cursors of
 * handlers. One thread polls at a time; concurrent callers wait for it and share its result.
 */
final class EventPoller {

  private static final Logger LOG = LoggerFactory.getLogger(EventPoller.class);

  /** Maximum age of a poll that serves a claim. */
  private static final Duration OFTEN = Duration.ofSeconds(1);

  /**
   * Idle time after which the state of a handler is dropped; a later claim reads its cursor again.
   */
  private static final Duration UNUSED = Duration.ofMinutes(10);

  /** Maximum number of requests for a cursor on close, when other processes write it too. */
  private static final int LAST_TRIES = 5;

  private final NamespaceStore namespaceStore;
  private final EventCache eventCache;
  private final EventScanner eventScanner;
  private final CursorStore cursorStore;
  private final Parallel parallel = new Parallel();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong looks = new AtomicLong();
  private volatile long lookedAt;

  EventPoller(NamespaceStore namespaceStore, EventCache eventCache) {
    this.namespaceStore = namespaceStore;
    this.eventCache = eventCache;
    this.eventScanner = new EventScanner(namespaceStore, eventCache);
    this.cursorStore = new CursorStore(namespaceStore);
  }

  /**
   * Returns the state of a handler, created if it has none here, with new events. A recent poll is
   * good enough if the handler hasn't claimed since, or has any claimable events: a handler that
   * gets fewer than it asked for claims again.
   */
  HandlerState stateForClaim(ClaimRequest request) {
    HandlerState handlerState =
        eventCache
            .handlerState(request.handlerId())
            .filter(known -> known.interest().equals(request.interest()))
            .orElseGet(() -> createState(request));
    long since = looks.get();
    boolean recent = nanos() - lookedAt < OFTEN.toNanos();
    boolean fresh = since != handlerState.flushPolicy().pollsAtLastUse();
    if (!recent || !(fresh || eventCache.readyCount(handlerState, namespaceStore.now()) > 0)) {
      boolean unused = pollUnlessSince(since);
    }
    handlerState.flushPolicy().recordUse(nanos(), looks.get());
    return handlerState;
  }

  private HandlerState createState(ClaimRequest request) {
    CursorStore.StoredCursor storedCursor =
        cursorStore.read(request.handlerId(), request.interest());
    lock.lock();
    try {
      Optional<HandlerState> other =
          eventCache
              .handlerState(request.handlerId())
              .filter(known -> known.interest().equals(request.interest()));
      if (other.isPresent()) {
        return other.get();
      }
      HandlerState handlerState =
          new HandlerState(request.handlerId(), request.interest(), storedCursor, nanos());
      if (eventCache.addHandler(handlerState)) {
        eventScanner.restart(handlerState.upTo());
      }
      handlerState.flushPolicy().recordUse(nanos(), looks.get());
      return handlerState;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Polls now, for all handlers with a state here; returns whether there are more events to find.
   */
  boolean poll() {
    return pollUnlessSince(looks.get());
  }

  /**
   * Polls unless another thread has done so since; returns whether there are more events to find.
   */
  private boolean pollUnlessSince(long since) {
    lock.lock();
    try {
      if (looks.get() != since || eventCache.handlerStates().isEmpty()) {
        return false;
      }
      EventScanner.ScanResult scanResult = new EventScanner.ScanResult(0, false, false);
      if (eventCache.needsMoreEvents(namespaceStore.options().limits().readAhead())) {
        scanResult = eventScanner.scan();
      }
      read(eventCache.unread());
      looks.incrementAndGet();
      lookedAt = nanos();
      flushCursors(scanResult);
      return scanResult.more();
    } finally {
      lock.unlock();
    }
  }

  private void read(List<CachedEvent> events) {
    parallel.run(events.stream().map(event -> (Runnable) () -> read(event)).toList());
  }

  private void read(CachedEvent event) {
    Optional<StoredObject> found = get(event);
    if (found.isEmpty()) {
      eventCache.remove(event);
    } else {
      eventCache.read(event, content(event, found.get()));
    }
  }

  /** Reads an event whose payload wasn't kept; empty when it isn't stored any more. */
  Optional<Event> reload(CachedEvent event) {
    return get(event)
        .flatMap(
            found ->
                content(event, found) instanceof EventContent.Full full
                    ? Optional.of(full.event())
                    : Optional.empty());
  }

  private Optional<StoredObject> get(CachedEvent event) {
    return namespaceStore.store().get(namespaceStore.layout().key(Kind.EVENTS, event.name()));
  }

  private EventContent content(CachedEvent event, StoredObject found) {
    EventName name =
        NamespaceKeys.parse(event.name())
            .orElseGet(() -> new EventName(event.name(), event.createdAt(), event.id()));
    try {
      Event read = EventJson.read(namespaceStore.namespace(), name, found.bytes());
      return event
          .problem()
          .<EventContent>map(
              reason ->
                  new EventContent.Unreadable(
                      "the event can't be: " + reason, FailedEvent.of(read)))
          .orElseGet(() -> new EventContent.Full(read));
    } catch (UnreadableDocumentException e) {
      return new EventContent.Unreadable(
          "the event " + e.problem(), new FailedEvent(Optional.empty(), Optional.of(found.text())));
    }
  }

  /**
   * Writes cursors: those with many changes if the poll found events or was cheap, and one of the
   * others that are due, only if the poll was cheap.
   */
  private void flushCursors(EventScanner.ScanResult scanResult) {
    long now = nanos();
    boolean cheap = scanResult.requests() < 2;
    for (HandlerState handlerState : eventCache.handlerStates()) {
      if (handlerState.flushPolicy().isUrgent()
          ? scanResult.found() || cheap
          : cheap && handlerState.flushPolicy().isDue(now)) {
        cheap &= !flushCursors(handlerState);
      }
      if (now - handlerState.flushPolicy().lastUsedAt() > UNUSED.toNanos()) {
        eventCache.removeHandler(handlerState);
      }
    }
  }

  /**
   * Writes the cursor of a handler, or reads what another process has written; one request at most.
   * A failure is only logged, as the state is complete in memory.
   *
   * @return whether there was anything to do
   */
  private boolean flushCursors(HandlerState handlerState) {
    CursorFlushPolicy care = handlerState.flushPolicy();
    HandlerCursor known = care.stored().cursor();
    HandlerCursor handlerCursor = eventCache.cursor(handlerState, known.upTo()).intersect(known);
    if (handlerCursor.equals(known) && !care.isStale()) {
      care.postpone(nanos());
      return false;
    }
    try {
      if (care.isStale()) {
        care.reread(cursorStore.read(handlerState.handlerId(), handlerState.interest()));
        eventCache.mergeCursor(handlerState, care.stored().cursor());
      } else {
        cursorStore
            .write(handlerState.handlerId(), handlerState.interest(), care.stored(), handlerCursor)
            .ifPresentOrElse(
                storedCursor -> care.recordStored(storedCursor, nanos()), care::markStale);
      }
    } catch (TidemarkException e) {
      LOG.warn("can't write down how far {} is: {}", handlerState.handlerId(), e.getMessage());
      care.postpone(nanos());
    }
    return true;
  }

  /** Writes all cursors. */
  void close() {
    lock.lock();
    try {
      for (HandlerState handlerState : eventCache.handlerStates()) {
        for (int i = 0; i < LAST_TRIES && flushCursors(handlerState); i++) {
          LOG.debug("another look at the cursor of {}", handlerState.handlerId());
        }
        eventCache.removeHandler(handlerState);
      }
    } finally {
      lock.unlock();
    }
  }

  private long nanos() {
    return namespaceStore.options().time().nanos();
  }
}
