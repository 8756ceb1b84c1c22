// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.store.StoredClaim;
import io.tidemark.objects.ObjectKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;

/**
 * State of one handler with regard to the events in the cache. Each of them is
 *
 * <ul>
 *   <li><b>free</b>: ready to be claimed, as far as is known;
 *   <li><b>taken</b>: a thread of this process is about to claim it;
 *   <li><b>waiting</b>: claimed, here or elsewhere, or released, and not claimable before a moment;
 *   <li><b>done</b>: acknowledged, given up, or of a type that the handler doesn't want.
 * </ul>
 *
 * Guarded by the {@link EventCache}, like the events in it.
 */
final class HandlerState {

  /** Waiting event; ignored if the event is due at another time by now. */
  private record DueEvent(Instant at, CachedEvent event) {}

  private final String handlerId;
  private final EventTypeFilter eventTypeFilter;
  private final TreeSet<CachedEvent> free = new TreeSet<>(CachedEvent.ORDER);
  private final Set<String> taken = new HashSet<>();
  private final Map<String, Instant> dueAt = new HashMap<>();
  private final PriorityQueue<DueEvent> waiting =
      new PriorityQueue<>(Comparator.comparing(DueEvent::at));
  private final Map<String, StoredClaim> known = new HashMap<>();
  private final Set<String> done = new HashSet<>();
  private final CursorFlushPolicy care;
  private String upTo;

  HandlerState(
      String handlerId,
      EventTypeFilter eventTypeFilter,
      CursorStore.StoredCursor storedCursor,
      long nowNanos) {
    this.handlerId = handlerId;
    this.eventTypeFilter = eventTypeFilter;
    this.care = new CursorFlushPolicy(storedCursor, nowNanos);
    this.upTo = storedCursor.cursor().upTo();
    this.done.addAll(storedCursor.cursor().finished());
  }

  String handlerId() {
    return handlerId;
  }

  EventTypeFilter interest() {
    return eventTypeFilter;
  }

  /** Returns the name up to which all events are done. */
  String upTo() {
    return upTo;
  }

  CursorFlushPolicy flushPolicy() {
    return care;
  }

  boolean isDone(CachedEvent event) {
    return ObjectKeys.ORDER.compare(event.lastName(), upTo) <= 0 || done.contains(event.id());
  }

  /** Adds an event that has been read. */
  void add(CachedEvent event) {
    if (isDone(event) || taken.contains(event.id()) || dueAt.containsKey(event.id())) {
      return;
    }
    if (wants(event.content())) {
      free.add(event);
    } else {
      markDone(event);
    }
  }

  /** Returns whether the handler wants an event; an unreadable event may be of any type. */
  private boolean wants(EventContent eventContent) {
    if (eventContent instanceof EventContent.Unreadable unreadable) {
      return unreadable
          .subject()
          .event()
          .map(Event::type)
          .map(eventTypeFilter::includes)
          .orElse(true);
    }
    if (eventContent instanceof EventContent.Full full) {
      return eventTypeFilter.includes(full.event().type());
    }
    return eventContent instanceof EventContent.WithoutPayload withoutPayload
        && eventTypeFilter.includes(withoutPayload.event().type());
  }

  /** Takes the first events that are ready to be claimed. */
  List<CachedEvent> takeReady(int most, Instant now) {
    releaseDue(now);
    List<CachedEvent> first = new ArrayList<>();
    while (first.size() < most && !free.isEmpty()) {
      CachedEvent event = free.pollFirst();
      taken.add(event.id());
      first.add(event);
    }
    return first;
  }

  private void releaseDue(Instant now) {
    for (DueEvent dueEvent = waiting.peek();
        dueEvent != null && !dueEvent.at().isAfter(now);
        dueEvent = waiting.peek()) {
      waiting.remove();
      if (dueEvent.at().equals(dueAt.get(dueEvent.event().id()))) {
        dueAt.remove(dueEvent.event().id());
        free.add(dueEvent.event());
      }
    }
  }

  /** Returns the claim on an event as last seen; empty when none was. */
  Optional<StoredClaim> lastClaim(CachedEvent event) {
    return Optional.ofNullable(known.get(event.id()));
  }

  /** Gives back an event that was taken, unchanged. */
  void returnToReady(CachedEvent event) {
    if (taken.remove(event.id())) {
      free.add(event);
    }
  }

  /**
   * Records the current claim on an event; one whose dead letter is incomplete is soon due again.
   */
  void recordClaim(CachedEvent event, StoredClaim stored, Instant now) {
    if (stored.claim().isFinished() && !stored.isDeadLetterPending()) {
      markDone(event);
      return;
    }
    if (isDone(event)) {
      return;
    }
    Instant at = stored.isDeadLetterPending() ? now.plusSeconds(1) : stored.claim().dueAt();
    free.remove(event);
    taken.remove(event.id());
    known.put(event.id(), stored);
    dueAt.put(event.id(), at);
    waiting.add(new DueEvent(at, event));
  }

  /** Marks an event as done for the handler. */
  void markDone(CachedEvent event) {
    remove(event);
    if (ObjectKeys.ORDER.compare(event.lastName(), upTo) > 0 && done.add(event.id())) {
      care.recordChange();
    }
  }

  /** Removes an event. */
  void remove(CachedEvent event) {
    free.remove(event);
    taken.remove(event.id());
    dueAt.remove(event.id());
    known.remove(event.id());
  }

  /** Returns the number of events that are ready to be claimed, as far as is known. */
  int readyCount() {
    return free.size();
  }

  Backlog backlog(Instant now) {
    releaseDue(now);
    return new Backlog(
        free.size(),
        taken.size() + (long) dueAt.size(),
        dueAt.values().stream().min(Instant::compareTo));
  }

  /** Advances over the events that are done, as far as no new ones can appear. */
  void advanceCursor(NavigableMap<String, CachedEvent> byName, String settled) {
    for (Map.Entry<String, CachedEvent> next : byName.tailMap(upTo, false).entrySet()) {
      CachedEvent event = next.getValue();
      if (ObjectKeys.ORDER.compare(next.getKey(), settled) > 0 || !isDone(event)) {
        return;
      }
      upTo = next.getKey();
      if (event.lastName().equals(upTo)) {
        done.remove(event.id());
      }
    }
  }

  /**
   * Returns the cursor to be stored.
   *
   * @param others name up to which other processes have stored events as done
   */
  HandlerCursor cursor(NavigableMap<String, CachedEvent> byName, String others) {
    String from = ObjectKeys.ORDER.compare(others, upTo) > 0 ? others : upTo;
    Set<String> finished = new LinkedHashSet<>();
    for (CachedEvent event : byName.tailMap(from, false).values()) {
      if (finished.size() == HandlerCursor.MOST_FINISHED) {
        break;
      }
      if (done.contains(event.id())) {
        finished.add(event.id());
      }
    }
    return new HandlerCursor(from, finished);
  }

  /** Merges a stored cursor of another process into the state of the known events. */
  void merge(HandlerCursor handlerCursor, NavigableMap<String, CachedEvent> byName) {
    for (Map.Entry<String, CachedEvent> next : byName.tailMap(upTo, false).entrySet()) {
      CachedEvent event = next.getValue();
      boolean passed = ObjectKeys.ORDER.compare(event.lastName(), handlerCursor.upTo()) <= 0;
      if (!isDone(event) && (passed || handlerCursor.finished().contains(event.id()))) {
        remove(event);
        done.add(event.id());
      }
    }
  }
}
