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
 * Keeps the shelf up to date: finds events, reads them, and writes down how far handlers are. One
 * thread at a time does so; those that come meanwhile wait for it and have the benefit.
 */
final class EventPoller {

  private static final Logger LOG = LoggerFactory.getLogger(EventPoller.class);

  /** A look serves all handlers for so long, and those that have enough to do. */
  private static final Duration OFTEN = Duration.ofSeconds(1);

  /** A handler that hasn't claimed for so long is forgotten; if it comes again, it costs more. */
  private static final Duration UNUSED = Duration.ofMinutes(10);

  /** So many requests for a cursor, at the end, when others want to write it too. */
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
   * The desk of a handler, set up if it has none here, with what is new. A recent look will do if
   * the handler hasn't claimed since, or has any events before it: who gets fewer than it wants
   * comes again.
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

  /** Looks now, for whoever has a desk here; whether there is more to be found. */
  boolean poll() {
    return pollUnlessSince(looks.get());
  }

  /** Looks, unless that was done since; whether there is more to be found. */
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

  /** Reads an event whose payload wasn't kept; empty when it isn't there any more. */
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
   * Writes down how far handlers are: all of which much is new, when there is work; otherwise one,
   * and only if the look was cheap.
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
   * Writes down how far a handler is, or reads what somebody else has written; one request at most.
   * What goes wrong is no matter: it is all known here.
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

  /** Writes down how far all are. */
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
