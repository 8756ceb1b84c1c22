// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Watch on moving records, for one listener. Its guarantees:
 *
 * <ol>
 *   <li><b>Filtered</b>: nothing is told that the filter doesn't ask for.
 *   <li><b>Ordered a record</b>: an event continues where the one before it about the same record
 *       ended; nothing about different records.
 *   <li><b>Unique</b>: no state of a record is told twice in a row.
 *   <li><b>No gap without saying so</b>: a listener that is slow, was away, or couldn't be reached,
 *       is told the last state of each record that moved, once. What was skipped lies between
 *       {@link NameEvent#before} and {@link NameEvent#now}. What can't be read is told as such, and
 *       while the store can't be reached {@link #next} fails.
 *   <li><b>Resumable</b>: a watch that is begun with {@link #cursor} goes on from there.
 *   <li><b>Never from the future</b>: a listener that reads the record after the event finds that
 *       state, or a newer one.
 * </ol>
 *
 * <p>It waits for its listener with one entry a record at the most, however long that takes.
 */
public final class Watch implements AutoCloseable {

  /** A record that has moved, and how far its listener knew it. */
  private record Transition(Observation before, Observation now) {}

  /** An event, and what its listener knows with it. */
  private record Delivery(NameEvent event, Observation known) {}

  private final NameFeed feed;
  private final WatchFilter filter;
  private final Map<Address, Transition> pending = new LinkedHashMap<>();
  private Optional<TidemarkException> failure = Optional.empty();
  private Optional<TidemarkException> trouble = Optional.empty();
  private boolean closed;

  Watch(NameFeed feed, WatchFilter filter) {
    this.feed = feed;
    this.filter = filter;
  }

  WatchFilter filter() {
    return filter;
  }

  /**
   * Returns the next event.
   *
   * @param atMost how long to wait for one
   * @return empty when there was none until then, or the watch is closed
   * @throws TidemarkException once, when the store can't be reached; the watch goes on, and tells
   *     what moved meanwhile as soon as it can
   */
  public synchronized Optional<NameEvent> next(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (pending.isEmpty() && failure.isEmpty() && !closed) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return Optional.empty();
      }
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
    if (closed) {
      return Optional.empty();
    }
    if (!pending.isEmpty()) {
      return Optional.of(takeNext());
    }
    TidemarkException told = failure.orElseThrow();
    failure = Optional.empty();
    throw told;
  }

  private NameEvent takeNext() {
    Iterator<Map.Entry<Address, Transition>> first = pending.entrySet().iterator();
    Map.Entry<Address, Transition> entry = first.next();
    Delivery delivery = firstDelivery(entry.getKey(), entry.getValue()).orElseThrow();
    Transition rest = new Transition(delivery.known(), entry.getValue().now());
    if (firstDelivery(entry.getKey(), rest).isPresent()) {
      entry.setValue(rest);
    } else {
      first.remove();
    }
    return delivery.event();
  }

  /**
   * Returns a checkpoint after the events that the listener has received; also after the feed was
   * closed, but not after the watch was.
   */
  public WatchCheckpoint cursor() {
    return feed.cursor(this);
  }

  /** Returns the listener's observation of an address, given the feed's observation. */
  synchronized Observation known(Address address, Observation now) {
    Transition transition = pending.get(address);
    return transition == null ? now : transition.before();
  }

  synchronized void moved(Address address, Observation before, Observation now) {
    if (!filter.matches(address)) {
      return;
    }
    Transition transition = new Transition(known(address, before), now);
    if (firstDelivery(address, transition).isPresent()) {
      pending.put(address, transition);
      notifyAll();
    } else {
      pending.remove(address);
    }
  }

  synchronized void failed(TidemarkException problem) {
    failure = Optional.of(problem);
    trouble = failure;
    notifyAll();
  }

  /** Why the store can't be watched at the moment; empty when it can. */
  public synchronized Optional<TidemarkException> currentFailure() {
    return trouble;
  }

  synchronized void recovered() {
    failure = Optional.empty();
    trouble = Optional.empty();
  }

  /** Returns whether nothing more will come. */
  public synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    feed.end(this);
    end();
  }

  synchronized void end() {
    closed = true; // what is pending stays so: it wasn't told, and the cursor must not say it was
    notifyAll();
  }

  /**
   * Returns the first thing to be told of a step; empty when there is nothing that the filter asks
   * for.
   */
  private Optional<Delivery> firstDelivery(Address address, Transition transition) {
    Optional<Watermarks> before = marks(transition.before());
    Optional<Watermarks> now = marks(transition.now());
    if (transition.now() instanceof Observation.Unreadable unreadable) {
      return transition.before().equals(unreadable)
          ? Optional.empty()
          : firstDelivery(NameEvent.Type.UNREADABLE, address, transition, Set.of());
    }
    boolean replaced = before.isPresent() && now.isPresent() && !now.get().canFollow(before.get());
    if (replaced && !filter.matches(before.get())) {
      return firstDelivery(
          address,
          new Transition(Observation.Absent.ABSENT, transition.now())); // it never knew the other
    }
    if (before.isPresent() && (now.isEmpty() || replaced)) {
      return firstDelivery(
          NameEvent.Type.PURGED,
          address,
          new Transition(transition.before(), Observation.Absent.ABSENT),
          Set.of());
    }
    if (now.isEmpty()) {
      boolean wasBroken = transition.before() instanceof Observation.Unreadable;
      return wasBroken
          ? firstDelivery(NameEvent.Type.PURGED, address, transition, Set.of())
          : Optional.empty();
    }
    if (before.isEmpty()) {
      boolean wasBroken = transition.before() instanceof Observation.Unreadable;
      NameEvent.Type type = wasBroken ? NameEvent.Type.MOVED : NameEvent.Type.APPEARED;
      return firstDelivery(type, address, transition, withinFilter(now.get().concerns()));
    }
    return changed(address, transition, before.get(), now.get());
  }

  private Optional<Delivery> changed(
      Address address, Transition transition, Watermarks before, Watermarks now) {
    Set<Concern> moved = withinFilter(now.movedSince(before));
    if (before.retracted() != now.retracted()) {
      return firstDelivery(
          now.retracted() ? NameEvent.Type.RETRACTED : NameEvent.Type.RESTORED,
          address,
          transition,
          moved);
    }
    return moved.isEmpty()
        ? Optional.empty()
        : firstDelivery(NameEvent.Type.MOVED, address, transition, moved);
  }

  private Optional<Delivery> firstDelivery(
      NameEvent.Type type, Address address, Transition transition, Set<Concern> moved) {
    Optional<Watermarks> before = marks(transition.before());
    Optional<Watermarks> now = marks(transition.now());
    if (!now.or(() -> before).map(filter::matches).orElse(true)) {
      return Optional.empty();
    }
    Optional<String> problem =
        transition.now() instanceof Observation.Unreadable unreadable
            ? Optional.of(unreadable.problem())
            : Optional.empty();
    return Optional.of(
        new Delivery(new NameEvent(type, address, moved, before, now, problem), transition.now()));
  }

  private Set<Concern> withinFilter(Set<Concern> moved) {
    Set<Concern> asked = EnumSet.noneOf(Concern.class);
    asked.addAll(moved);
    asked.retainAll(filter.concerns());
    return asked;
  }

  private static Optional<Watermarks> marks(Observation observation) {
    return observation instanceof Observation.Present present
        ? Optional.of(present.marks())
        : Optional.empty();
  }
}
