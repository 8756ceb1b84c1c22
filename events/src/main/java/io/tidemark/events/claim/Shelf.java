// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.Layout;
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
 * The events of a namespace that a process knows of, and how far each of its handlers is with them.
 *
 * <p>An event stays here from the time it is found until all handlers are done with it and nothing
 * new can appear before it. Its payload goes sooner: when all are done, or when there are too many.
 * All methods are quick; whoever needs the store asks it first, and then tells the shelf.
 */
final class Shelf {

  /** Characters of payloads that are kept at once. */
  private static final long MOST_PAYLOAD = 64L << 20;

  private final NavigableMap<String, Shelved> byName = new TreeMap<>(ObjectKeys.ORDER);
  private final Map<String, Shelved> byId = new HashMap<>();
  private final Map<String, Desk> desks = new HashMap<>();
  private final Set<Shelved> unread = new LinkedHashSet<>();
  private long payload;

  /** All names after this one are here if they have been found. */
  private String trimmed = "";

  synchronized Optional<Desk> desk(String handlerId) {
    return Optional.ofNullable(desks.get(handlerId));
  }

  synchronized List<Desk> desks() {
    return List.copyOf(desks.values());
  }

  /**
   * Sets up a desk, in place of another of that handler.
   *
   * @return whether events have to be looked for that were here and aren't any more
   */
  synchronized boolean setUp(Desk desk) {
    boolean first = desks.isEmpty();
    desks.put(desk.handlerId(), desk);
    if (first) {
      clear();
      trimmed = desk.upTo();
      return true;
    }
    for (Shelved event : byName.tailMap(desk.upTo(), false).values()) {
      if (event.isUnread()) {
        unread.add(event);
      } else {
        desk.offer(event);
      }
    }
    if (ObjectKeys.ORDER.compare(desk.upTo(), trimmed) >= 0) {
      return false;
    }
    trimmed = desk.upTo();
    return true;
  }

  /** Forgets a handler that claims no more. */
  synchronized void takeDown(Desk desk) {
    desks.remove(desk.handlerId(), desk);
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

  /** An event has been found; whether it is new. */
  synchronized boolean add(Shelved found) {
    if (byName.containsKey(found.name()) || ObjectKeys.ORDER.compare(found.name(), trimmed) <= 0) {
      return false;
    }
    Shelved same = byId.get(found.id());
    if (same != null) {
      same.alsoNamed(found.name());
      byName.put(found.name(), same);
      if (same.isUnread()) {
        unread.add(same);
      } else { // who was past its last name isn't any more, and asks its claim
        desks.values().forEach(desk -> desk.offer(same));
      }
      return true;
    }
    byName.put(found.name(), found);
    byId.put(found.id(), found);
    unread.add(found);
    return true;
  }

  /**
   * An event has been published here.
   *
   * @param most who has so many before it looks for the rest later, as what it has is kept here
   */
  synchronized void place(Event event, int most) {
    if (desks.isEmpty() || desks.values().stream().anyMatch(desk -> desk.free() >= most)) {
      return;
    }
    String name = Layout.eventName(event.createdAt(), event.id());
    Shelved shelved = new Shelved(event.id(), name, event.createdAt(), Optional.empty());
    if (add(shelved) && byId.get(event.id()) == shelved) {
      read(shelved, new Content.Whole(event));
    }
  }

  /** Those that a handler may want and that haven't been read. */
  synchronized List<Shelved> unread() {
    unread.removeIf(event -> desks.values().stream().allMatch(desk -> desk.isDone(event)));
    return List.copyOf(unread);
  }

  /** An event has been read. */
  synchronized void read(Shelved event, Content content) {
    if (!event.isUnread()) {
      return;
    }
    unread.remove(event);
    event.read(content);
    if (content instanceof Content.Whole whole) {
      payload += whole.event().payload().length();
      if (payload > MOST_PAYLOAD) {
        lighten(event);
      }
    }
    desks.values().forEach(desk -> desk.offer(event));
    lightenIfDone(event);
  }

  /** An event isn't there any more. */
  synchronized void gone(Shelved event) {
    unread.remove(event);
    lighten(event);
    desks.values().forEach(desk -> desk.finish(event));
  }

  private void lightenIfDone(Shelved event) {
    if (desks.values().stream().allMatch(desk -> desk.isDone(event))) {
      lighten(event);
    }
  }

  private void lighten(Shelved event) {
    if (event.content() instanceof Content.Whole whole) {
      payload -= whole.event().payload().length();
      event.read(Content.Lean.of(whole.event()));
    }
  }

  synchronized List<Shelved> take(Desk desk, int most, Instant now) {
    return desk.take(most, now);
  }

  synchronized Optional<StoredClaim> known(Desk desk, Shelved event) {
    return desk.known(event);
  }

  synchronized void putBack(Desk desk, Collection<Shelved> events) {
    events.forEach(desk::putBack);
  }

  synchronized void saw(Desk desk, Shelved event, StoredClaim stored, Instant now) {
    desk.saw(event, stored, now);
    lightenIfDone(event);
  }

  /** How a claim is now that was made by a handler which may have a desk here. */
  synchronized void saw(StoredClaim stored, Instant now) {
    Desk desk = desks.get(stored.claim().handlerId());
    Shelved event = byId.get(stored.claim().eventId());
    if (desk != null && event != null) {
      saw(desk, event, stored, now);
    }
  }

  synchronized int free(Desk desk, Instant now) {
    return (int) desk.backlog(now).claimable();
  }

  synchronized Optional<Backlog> backlog(String handlerId, Instant now) {
    return Optional.ofNullable(desks.get(handlerId)).map(desk -> desk.backlog(now));
  }

  /** Whether any handler has fewer events before it than that. */
  synchronized boolean isHungry(int readAhead) {
    return desks.values().stream().anyMatch(desk -> desk.free() < readAhead);
  }

  /** How many names there are after one and up to another, counted up to a limit. */
  synchronized int count(String after, String upTo, int limit) {
    if (ObjectKeys.ORDER.compare(after, upTo) >= 0) {
      return 0;
    }
    return (int) byName.subMap(after, false, upTo, true).keySet().stream().limit(limit).count();
  }

  /** Forgets what all are done with, now that nothing new can appear up to a name. */
  synchronized void settle(String settled) {
    desks.values().forEach(desk -> desk.advance(byName, settled));
    String least = desks.values().stream().map(Desk::upTo).min(ObjectKeys.ORDER).orElse(trimmed);
    if (ObjectKeys.ORDER.compare(least, trimmed) > 0) {
      trimmed = least;
    }
    NavigableMap<String, Shelved> behind = byName.headMap(trimmed, true);
    for (Shelved event : behind.values()) {
      if (event.unnamed()) {
        lighten(event);
        unread.remove(event);
        byId.remove(event.id());
      }
    }
    behind.clear();
  }

  synchronized Cursor cursor(Desk desk, String others) {
    return desk.cursor(byName, others);
  }

  synchronized void learn(Desk desk, Cursor cursor) {
    desk.learn(cursor, byName);
  }
}
