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
 * Tells one listener what moves. What it promises:
 *
 * <ol>
 *   <li><b>Filtered</b>: nothing is told that the filter doesn't ask for.
 *   <li><b>Ordered a record</b>: an event continues where the one before it about the same record
 *       ended; nothing about different records.
 *   <li><b>Unique</b>: no state of a record is told twice in a row.
 *   <li><b>No gap without saying so</b>: whoever is slow, was away, or couldn't be reached, is told
 *       the last state of each record that moved, once. What was skipped lies between {@link
 *       NameEvent#before} and {@link NameEvent#now}. What can't be read is told as such, and while
 *       the store can't be reached {@link #next} fails.
 *   <li><b>Resumable</b>: a watch that is begun with {@link #cursor} goes on from there.
 *   <li><b>Never from the future</b>: who reads the record after the event finds that state, or a
 *       newer one.
 * </ol>
 *
 * <p>It waits for its listener with one entry a record at the most, however long that takes.
 */
public final class Watch implements AutoCloseable {

  /** A record that has moved, and how far its listener knew it. */
  private record Step(Seen before, Seen now) {}

  /** An event, and what its listener knows with it. */
  private record Told(NameEvent event, Seen known) {}

  private final NameFeed feed;
  private final WatchFilter filter;
  private final Map<Address, Step> pending = new LinkedHashMap<>();
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
   * The next event.
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
      return Optional.of(tell());
    }
    TidemarkException told = failure.orElseThrow();
    failure = Optional.empty();
    throw told;
  }

  private NameEvent tell() {
    Iterator<Map.Entry<Address, Step>> first = pending.entrySet().iterator();
    Map.Entry<Address, Step> entry = first.next();
    Told told = told(entry.getKey(), entry.getValue()).orElseThrow();
    Step rest = new Step(told.known(), entry.getValue().now());
    if (told(entry.getKey(), rest).isPresent()) {
      entry.setValue(rest);
    } else {
      first.remove();
    }
    return told.event();
  }

  /**
   * Where the listener stands with the events that it was handed out; also after the feed was
   * closed, but not after the watch was.
   */
  public Subscriptions cursor() {
    return feed.cursor(this);
  }

  /** What the listener knows of an address of which the feed knows this. */
  synchronized Seen known(Address address, Seen now) {
    Step step = pending.get(address);
    return step == null ? now : step.before();
  }

  synchronized void moved(Address address, Seen before, Seen now) {
    if (!filter.matches(address)) {
      return;
    }
    Step step = new Step(known(address, before), now);
    if (told(address, step).isPresent()) {
      pending.put(address, step);
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
  public synchronized Optional<TidemarkException> trouble() {
    return trouble;
  }

  synchronized void recovered() {
    failure = Optional.empty();
    trouble = Optional.empty();
  }

  /** Whether nothing more will come. */
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

  /** The first thing to be told of a step; empty when there is nothing that the filter asks for. */
  private Optional<Told> told(Address address, Step step) {
    Optional<Marks> before = marks(step.before());
    Optional<Marks> now = marks(step.now());
    if (step.now() instanceof Seen.Broken broken) {
      return step.before().equals(broken)
          ? Optional.empty()
          : told(NameEvent.Type.UNREADABLE, address, step, Set.of());
    }
    boolean replaced = before.isPresent() && now.isPresent() && !now.get().continues(before.get());
    if (replaced && !filter.matches(before.get())) {
      return told(address, new Step(Seen.Absent.ABSENT, step.now())); // it never knew the other
    }
    if (before.isPresent() && (now.isEmpty() || replaced)) {
      return told(
          NameEvent.Type.PURGED, address, new Step(step.before(), Seen.Absent.ABSENT), Set.of());
    }
    if (now.isEmpty()) {
      boolean wasBroken = step.before() instanceof Seen.Broken;
      return wasBroken ? told(NameEvent.Type.PURGED, address, step, Set.of()) : Optional.empty();
    }
    if (before.isEmpty()) {
      boolean wasBroken = step.before() instanceof Seen.Broken;
      NameEvent.Type type = wasBroken ? NameEvent.Type.MOVED : NameEvent.Type.APPEARED;
      return told(type, address, step, asked(now.get().concerns()));
    }
    return changed(address, step, before.get(), now.get());
  }

  private Optional<Told> changed(Address address, Step step, Marks before, Marks now) {
    Set<Concern> moved = asked(now.movedSince(before));
    if (before.retracted() != now.retracted()) {
      return told(
          now.retracted() ? NameEvent.Type.RETRACTED : NameEvent.Type.RESTORED,
          address,
          step,
          moved);
    }
    return moved.isEmpty() ? Optional.empty() : told(NameEvent.Type.MOVED, address, step, moved);
  }

  private Optional<Told> told(NameEvent.Type type, Address address, Step step, Set<Concern> moved) {
    Optional<Marks> before = marks(step.before());
    Optional<Marks> now = marks(step.now());
    if (!now.or(() -> before).map(filter::matches).orElse(true)) {
      return Optional.empty();
    }
    Optional<String> problem =
        step.now() instanceof Seen.Broken broken ? Optional.of(broken.problem()) : Optional.empty();
    return Optional.of(
        new Told(new NameEvent(type, address, moved, before, now, problem), step.now()));
  }

  private Set<Concern> asked(Set<Concern> moved) {
    Set<Concern> asked = EnumSet.noneOf(Concern.class);
    asked.addAll(moved);
    asked.retainAll(filter.concerns());
    return asked;
  }

  private static Optional<Marks> marks(Seen seen) {
    return seen instanceof Seen.Present present ? Optional.of(present.marks()) : Optional.empty();
  }
}
