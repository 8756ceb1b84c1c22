// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.NamespaceKeys;
import io.tidemark.events.store.StoredClaim;
import io.tidemark.objects.ObjectKeys;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Cache of the events of a namespace in a process, with the state of each of its handlers.
 *
 * <p>An event stays here from the time it is found until all handlers are done with it and nothing
 * new can appear before it. Its payload is dropped sooner: when all handlers are done, or when the
 * payloads take too much memory. No method does I/O: a caller that needs the store asks the cache
 * first, and then records the result here.
 */
final class EventCache {

  /** Maximum number of characters of cached payloads. */
  private static final long MOST_PAYLOAD = 64L << 20;

  private final NavigableMap<String, CachedEvent> byName = new TreeMap<>(ObjectKeys.ORDER);
  private final Map<String, CachedEvent> byId = new HashMap<>();
  private final Map<String, HandlerState> desks = new HashMap<>();
  private final Set<CachedEvent> unread = new LinkedHashSet<>();
  private long payload;

  /** Lower bound of the cache: all found events with names after this one are here. */
  private String trimmed = "";

  synchronized Optional<HandlerState> handlerState(String handlerId) {
    return Optional.ofNullable(desks.get(handlerId));
  }

  synchronized List<HandlerState> handlerStates() {
    return List.copyOf(desks.values());
  }

  /**
   * Adds the state of a handler, in place of an earlier one.
   *
   * @return whether events have to be listed again, as they were evicted or never cached
   */
  synchronized boolean addHandler(HandlerState handlerState) {
    boolean first = desks.isEmpty();
    desks.put(handlerState.handlerId(), handlerState);
    if (first) {
      clear();
      trimmed = handlerState.upTo();
      return true;
    }
    for (CachedEvent event : byName.tailMap(handlerState.upTo(), false).values()) {
      if (event.isUnread()) {
        unread.add(event);
      } else {
        handlerState.add(event);
      }
    }
    if (ObjectKeys.ORDER.compare(handlerState.upTo(), trimmed) >= 0) {
      return false;
    }
    trimmed = handlerState.upTo();
    return true;
  }

  /** Removes a handler that doesn't claim any more. */
  synchronized void removeHandler(HandlerState handlerState) {
    desks.remove(handlerState.handlerId(), handlerState);
    if (desks.isEmpty()) {
      clear();
    }
  }

  private void clear() {
    byName.clear();
    byId.clear();
    unread.clear();
    payload = 0;
  }

  /** Adds a found event; returns whether its name is new. */
  synchronized boolean add(CachedEvent found) {
    if (byName.containsKey(found.name()) || ObjectKeys.ORDER.compare(found.name(), trimmed) <= 0) {
      return false;
    }
    CachedEvent same = byId.get(found.id());
    if (same != null) {
      same.addName(found.name());
      byName.put(found.name(), same);
      if (same.isUnread()) {
        unread.add(same);
      } else { // a handler past its old last name reads its claim again
        desks.values().forEach(handlerState -> handlerState.add(same));
      }
      return true;
    }
    byName.put(found.name(), found);
    byId.put(found.id(), found);
    unread.add(found);
    return true;
  }

  /**
   * Adds an event that this process has published.
   *
   * @param most a handler with so many claimable events keeps this one out of the cache; a poll
   *     finds it later
   */
  synchronized void addPublished(Event event, int most) {
    if (desks.isEmpty()
        || desks.values().stream().anyMatch(handlerState -> handlerState.readyCount() >= most)) {
      return;
    }
    String name = NamespaceKeys.eventName(event.createdAt(), event.id());
    CachedEvent cachedEvent =
        new CachedEvent(event.id(), name, event.createdAt(), Optional.empty());
    if (add(cachedEvent) && byId.get(event.id()) == cachedEvent) {
      read(cachedEvent, new EventContent.Full(event));
    }
  }

  /** Returns the unread events that a handler may want. */
  synchronized List<CachedEvent> unread() {
    unread.removeIf(
        event -> desks.values().stream().allMatch(handlerState -> handlerState.isDone(event)));
    return List.copyOf(unread);
  }

  /** Records the content of an event that has been read. */
  synchronized void read(CachedEvent event, EventContent eventContent) {
    if (!event.isUnread()) {
      return;
    }
    unread.remove(event);
    event.read(eventContent);
    if (eventContent instanceof EventContent.Full full) {
      payload += full.event().payload().length();
      if (payload > MOST_PAYLOAD) {
        dropPayload(event);
      }
    }
    desks.values().forEach(handlerState -> handlerState.add(event));
    dropPayloadIfDone(event);
  }

  /** Removes an event that isn't stored any more. */
  synchronized void remove(CachedEvent event) {
    unread.remove(event);
    dropPayload(event);
    desks.values().forEach(handlerState -> handlerState.markDone(event));
  }

  private void dropPayloadIfDone(CachedEvent event) {
    if (desks.values().stream().allMatch(handlerState -> handlerState.isDone(event))) {
      dropPayload(event);
    }
  }

  private void dropPayload(CachedEvent event) {
    if (event.content() instanceof EventContent.Full full) {
      payload -= full.event().payload().length();
      event.read(EventContent.WithoutPayload.of(full.event()));
    }
  }

  synchronized List<CachedEvent> takeReady(HandlerState handlerState, int most, Instant now) {
    return handlerState.takeReady(most, now);
  }

  synchronized Optional<StoredClaim> lastClaim(HandlerState handlerState, CachedEvent event) {
    return handlerState.lastClaim(event);
  }

  synchronized void returnToReady(HandlerState handlerState, Collection<CachedEvent> events) {
    events.forEach(handlerState::returnToReady);
  }

  synchronized void recordClaim(
      HandlerState handlerState, CachedEvent event, StoredClaim stored, Instant now) {
    handlerState.recordClaim(event, stored, now);
    dropPayloadIfDone(event);
  }

  /** Records the current version of a claim, if its handler has a state here. */
  synchronized void recordClaim(StoredClaim stored, Instant now) {
    HandlerState handlerState = desks.get(stored.claim().handlerId());
    CachedEvent event = byId.get(stored.claim().eventId());
    if (handlerState != null && event != null) {
      recordClaim(handlerState, event, stored, now);
    }
  }

  synchronized int readyCount(HandlerState handlerState, Instant now) {
    return (int) handlerState.backlog(now).claimable();
  }

  synchronized Optional<Backlog> backlog(String handlerId, Instant now) {
    return Optional.ofNullable(desks.get(handlerId)).map(handlerState -> handlerState.backlog(now));
  }

  /** Returns whether any handler has fewer claimable events than that. */
  synchronized boolean needsMoreEvents(int readAhead) {
    return desks.values().stream().anyMatch(handlerState -> handlerState.readyCount() < readAhead);
  }

  /** Returns the number of names after one and up to another, counted up to a limit. */
  synchronized int count(String after, String upTo, int limit) {
    if (ObjectKeys.ORDER.compare(after, upTo) >= 0) {
      return 0;
    }
    return (int) byName.subMap(after, false, upTo, true).keySet().stream().limit(limit).count();
  }

  /**
   * Evicts the events that all handlers are done with, once nothing new can appear up to a name.
   */
  synchronized void evictDone(String settled) {
    desks.values().forEach(handlerState -> handlerState.advanceCursor(byName, settled));
    String least =
        desks.values().stream().map(HandlerState::upTo).min(ObjectKeys.ORDER).orElse(trimmed);
    if (ObjectKeys.ORDER.compare(least, trimmed) > 0) {
      trimmed = least;
    }
    NavigableMap<String, CachedEvent> behind = byName.headMap(trimmed, true);
    for (CachedEvent event : behind.values()) {
      if (event.removeName()) {
        dropPayload(event);
        unread.remove(event);
        byId.remove(event.id());
      }
    }
    behind.clear();
  }

  synchronized HandlerCursor cursor(HandlerState handlerState, String others) {
    return handlerState.cursor(byName, others);
  }

  synchronized void mergeCursor(HandlerState handlerState, HandlerCursor handlerCursor) {
    handlerState.merge(handlerCursor, byName);
  }
}
