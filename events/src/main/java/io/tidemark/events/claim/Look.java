// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.DeadLetters.Subject;
import io.tidemark.events.store.EventJson;
import io.tidemark.events.store.Layout;
import io.tidemark.events.store.Layout.EventName;
import io.tidemark.events.store.Layout.Kind;
import io.tidemark.events.store.Scope;
import io.tidemark.events.store.UnreadableException;
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
final class Look {

  private static final Logger LOG = LoggerFactory.getLogger(Look.class);

  /** A look serves all handlers for so long, and those that have enough to do. */
  private static final Duration OFTEN = Duration.ofSeconds(1);

  /** A handler that hasn't claimed for so long is forgotten; if it comes again, it costs more. */
  private static final Duration UNUSED = Duration.ofMinutes(10);

  /** So many requests for a cursor, at the end, when others want to write it too. */
  private static final int LAST_TRIES = 5;

  private final Scope scope;
  private final Shelf shelf;
  private final Survey survey;
  private final Cursors cursors;
  private final Parallel parallel = new Parallel();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong looks = new AtomicLong();
  private volatile long lookedAt;

  Look(Scope scope, Shelf shelf) {
    this.scope = scope;
    this.shelf = shelf;
    this.survey = new Survey(scope, shelf);
    this.cursors = new Cursors(scope);
  }

  /**
   * The desk of a handler, set up if it has none here, with what is new. A recent look will do if
   * the handler hasn't claimed since, or has any events before it: who gets fewer than it wants
   * comes again.
   */
  Desk forClaim(ClaimRequest request) {
    Desk desk =
        shelf
            .desk(request.handlerId())
            .filter(known -> known.interest().equals(request.interest()))
            .orElseGet(() -> setUp(request));
    long since = looks.get();
    boolean recent = nanos() - lookedAt < OFTEN.toNanos();
    boolean fresh = since != desk.care().looked();
    if (!recent || !(fresh || shelf.free(desk, scope.now()) > 0)) {
      boolean unused = after(since);
    }
    desk.care().used(nanos(), looks.get());
    return desk;
  }

  private Desk setUp(ClaimRequest request) {
    Cursors.Kept kept = cursors.read(request.handlerId(), request.interest());
    lock.lock();
    try {
      Optional<Desk> other =
          shelf
              .desk(request.handlerId())
              .filter(known -> known.interest().equals(request.interest()));
      if (other.isPresent()) {
        return other.get();
      }
      Desk desk = new Desk(request.handlerId(), request.interest(), kept, nanos());
      if (shelf.setUp(desk)) {
        survey.restart(desk.upTo());
      }
      desk.care().used(nanos(), looks.get());
      return desk;
    } finally {
      lock.unlock();
    }
  }

  /** Looks now, for whoever has a desk here; whether there is more to be found. */
  boolean now() {
    return after(looks.get());
  }

  /** Looks, unless that was done since; whether there is more to be found. */
  private boolean after(long since) {
    lock.lock();
    try {
      if (looks.get() != since || shelf.desks().isEmpty()) {
        return false;
      }
      Survey.Seen seen = new Survey.Seen(0, false, false);
      if (shelf.isHungry(scope.options().limits().readAhead())) {
        seen = survey.look();
      }
      read(shelf.unread());
      looks.incrementAndGet();
      lookedAt = nanos();
      writeDown(seen);
      return seen.more();
    } finally {
      lock.unlock();
    }
  }

  private void read(List<Shelved> events) {
    parallel.run(events.stream().map(event -> (Runnable) () -> read(event)).toList());
  }

  private void read(Shelved event) {
    Optional<StoredObject> found = get(event);
    if (found.isEmpty()) {
      shelf.gone(event);
    } else {
      shelf.read(event, content(event, found.get()));
    }
  }

  /** Reads an event whose payload wasn't kept; empty when it isn't there any more. */
  Optional<Event> readAgain(Shelved event) {
    return get(event)
        .flatMap(
            found ->
                content(event, found) instanceof Content.Whole whole
                    ? Optional.of(whole.event())
                    : Optional.empty());
  }

  private Optional<StoredObject> get(Shelved event) {
    return scope.store().get(scope.layout().key(Kind.EVENTS, event.name()));
  }

  private Content content(Shelved event, StoredObject found) {
    EventName name =
        Layout.parse(event.name())
            .orElseGet(() -> new EventName(event.name(), event.createdAt(), event.id()));
    try {
      Event read = EventJson.read(scope.namespace(), name, found.bytes());
      return event
          .complaint()
          .<Content>map(
              reason -> new Content.Bad("the event can't be: " + reason, Subject.of(read)))
          .orElseGet(() -> new Content.Whole(read));
    } catch (UnreadableException e) {
      return new Content.Bad(
          "the event " + e.problem(), new Subject(Optional.empty(), Optional.of(found.text())));
    }
  }

  /**
   * Writes down how far handlers are: all of which much is new, when there is work; otherwise one,
   * and only if the look was cheap.
   */
  private void writeDown(Survey.Seen seen) {
    long now = nanos();
    boolean cheap = seen.requests() < 2;
    for (Desk desk : shelf.desks()) {
      if (desk.care().isUrgent() ? seen.found() || cheap : cheap && desk.care().isDue(now)) {
        cheap &= !writeDown(desk);
      }
      if (now - desk.care().usedAt() > UNUSED.toNanos()) {
        shelf.takeDown(desk);
      }
    }
  }

  /**
   * Writes down how far a handler is, or reads what somebody else has written; one request at most.
   * What goes wrong is no matter: it is all known here.
   *
   * @return whether there was anything to do
   */
  private boolean writeDown(Desk desk) {
    CursorCare care = desk.care();
    Cursor known = care.kept().cursor();
    Cursor cursor = shelf.cursor(desk, known.upTo()).and(known);
    if (cursor.equals(known) && !care.isStale()) {
      care.postpone(nanos());
      return false;
    }
    try {
      if (care.isStale()) {
        care.reread(cursors.read(desk.handlerId(), desk.interest()));
        shelf.learn(desk, care.kept().cursor());
      } else {
        cursors
            .write(desk.handlerId(), desk.interest(), care.kept(), cursor)
            .ifPresentOrElse(kept -> care.keep(kept, nanos()), care::outdated);
      }
    } catch (TidemarkException e) {
      LOG.warn("can't write down how far {} is: {}", desk.handlerId(), e.getMessage());
      care.postpone(nanos());
    }
    return true;
  }

  /** Writes down how far all are. */
  void close() {
    lock.lock();
    try {
      for (Desk desk : shelf.desks()) {
        for (int i = 0; i < LAST_TRIES && writeDown(desk); i++) {
          LOG.debug("another look at the cursor of {}", desk.handlerId());
        }
        shelf.takeDown(desk);
      }
    } finally {
      lock.unlock();
    }
  }

  private long nanos() {
    return scope.options().time().nanos();
  }
}
