// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.Interest;
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
 * How far one handler is with the events on the shelf. Each of them is
 *
 * <ul>
 *   <li><b>free</b>: to be claimed, as far as is known;
 *   <li><b>taken</b>: somebody in this process is about to claim it;
 *   <li><b>waiting</b>: claimed, here or elsewhere, or released, and not claimable before a moment;
 *   <li><b>done</b>: acknowledged, given up, or of a type that the handler doesn't want.
 * </ul>
 *
 * Guarded by the shelf, like the events on it.
 */
final class Desk {

  /** An event that waits; passed over if it waits for another moment by now. */
  private record Due(Instant at, Shelved event) {}

  private final String handlerId;
  private final Interest interest;
  private final TreeSet<Shelved> free = new TreeSet<>(Shelved.ORDER);
  private final Set<String> taken = new HashSet<>();
  private final Map<String, Instant> dueAt = new HashMap<>();
  private final PriorityQueue<Due> waiting = new PriorityQueue<>(Comparator.comparing(Due::at));
  private final Map<String, StoredClaim> known = new HashMap<>();
  private final Set<String> done = new HashSet<>();
  private final CursorCare care;
  private String upTo;

  Desk(String handlerId, Interest interest, Cursors.Kept kept, long nowNanos) {
    this.handlerId = handlerId;
    this.interest = interest;
    this.care = new CursorCare(kept, nowNanos);
    this.upTo = kept.cursor().upTo();
    this.done.addAll(kept.cursor().finished());
  }

  String handlerId() {
    return handlerId;
  }

  Interest interest() {
    return interest;
  }

  /** All events whose names aren't after this one are done. */
  String upTo() {
    return upTo;
  }

  CursorCare care() {
    return care;
  }

  boolean isDone(Shelved event) {
    return ObjectKeys.ORDER.compare(event.lastName(), upTo) <= 0 || done.contains(event.id());
  }

  /** Takes note of an event that has been read. */
  void offer(Shelved event) {
    if (isDone(event) || taken.contains(event.id()) || dueAt.containsKey(event.id())) {
      return;
    }
    if (wants(event.content())) {
      free.add(event);
    } else {
      finish(event);
    }
  }

  /** What can't be read may be of any type. */
  private boolean wants(Content content) {
    if (content instanceof Content.Bad bad) {
      return bad.subject().event().map(Event::type).map(interest::includes).orElse(true);
    }
    if (content instanceof Content.Whole whole) {
      return interest.includes(whole.event().type());
    }
    return content instanceof Content.Lean lean && interest.includes(lean.event().type());
  }

  /** Takes the first of those that are to be claimed. */
  List<Shelved> take(int most, Instant now) {
    wake(now);
    List<Shelved> first = new ArrayList<>();
    while (first.size() < most && !free.isEmpty()) {
      Shelved event = free.pollFirst();
      taken.add(event.id());
      first.add(event);
    }
    return first;
  }

  private void wake(Instant now) {
    for (Due due = waiting.peek(); due != null && !due.at().isAfter(now); due = waiting.peek()) {
      waiting.remove();
      if (due.at().equals(dueAt.get(due.event().id()))) {
        dueAt.remove(due.event().id());
        free.add(due.event());
      }
    }
  }

  /** The claim on an event as it was last seen; empty when none was. */
  Optional<StoredClaim> known(Shelved event) {
    return Optional.ofNullable(known.get(event.id()));
  }

  /** Gives back an event that was taken, as it was. */
  void putBack(Shelved event) {
    if (taken.remove(event.id())) {
      free.add(event);
    }
  }

  /** Takes note of how the claim on an event is now; one that is half dead is soon seen to. */
  void saw(Shelved event, StoredClaim stored, Instant now) {
    if (stored.claim().isFinished() && !stored.isHalfDead()) {
      finish(event);
      return;
    }
    if (isDone(event)) {
      return;
    }
    Instant at = stored.isHalfDead() ? now.plusSeconds(1) : stored.claim().dueAt();
    free.remove(event);
    taken.remove(event.id());
    known.put(event.id(), stored);
    dueAt.put(event.id(), at);
    waiting.add(new Due(at, event));
  }

  /** The handler is through with an event. */
  void finish(Shelved event) {
    drop(event);
    if (ObjectKeys.ORDER.compare(event.lastName(), upTo) > 0 && done.add(event.id())) {
      care.changed();
    }
  }

  /** There is no such event any more. */
  void drop(Shelved event) {
    free.remove(event);
    taken.remove(event.id());
    dueAt.remove(event.id());
    known.remove(event.id());
  }

  /** How many events are to be claimed, as far as is known. */
  int free() {
    return free.size();
  }

  Backlog backlog(Instant now) {
    wake(now);
    return new Backlog(
        free.size(),
        taken.size() + (long) dueAt.size(),
        dueAt.values().stream().min(Instant::compareTo));
  }

  /** Moves on over the events that are done, as far as no new ones can appear. */
  void advance(NavigableMap<String, Shelved> byName, String settled) {
    for (Map.Entry<String, Shelved> next : byName.tailMap(upTo, false).entrySet()) {
      Shelved event = next.getValue();
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
   * What is to be written down.
   *
   * @param others up to where others are known to be done
   */
  Cursor cursor(NavigableMap<String, Shelved> byName, String others) {
    String from = ObjectKeys.ORDER.compare(others, upTo) > 0 ? others : upTo;
    Set<String> finished = new LinkedHashSet<>();
    for (Shelved event : byName.tailMap(from, false).values()) {
      if (finished.size() == Cursor.MOST_FINISHED) {
        break;
      }
      if (done.contains(event.id())) {
        finished.add(event.id());
      }
    }
    return new Cursor(from, finished);
  }

  /** Takes over what others have written down, of events that are known here. */
  void learn(Cursor cursor, NavigableMap<String, Shelved> byName) {
    for (Map.Entry<String, Shelved> next : byName.tailMap(upTo, false).entrySet()) {
      Shelved event = next.getValue();
      boolean passed = ObjectKeys.ORDER.compare(event.lastName(), cursor.upTo()) <= 0;
      if (!isDone(event) && (passed || cursor.finished().contains(event.id()))) {
        drop(event);
        done.add(event.id());
      }
    }
  }
}
