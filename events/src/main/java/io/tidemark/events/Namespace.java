// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.events.claim.Clerk;
import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.CleanupReport;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventFromTheFutureException;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.model.InvalidPayloadException;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NamespaceInfo;
import io.tidemark.events.model.Naming;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.events.model.UnknownEventException;
import io.tidemark.events.store.Archive;
import io.tidemark.events.store.Census;
import io.tidemark.events.store.Claims;
import io.tidemark.events.store.Claims.Found;
import io.tidemark.events.store.Cleaner;
import io.tidemark.events.store.Scope;
import io.tidemark.events.store.StoredClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A part of a bus: events published in one namespace are seen in no other. Safe for use by any
 * number of threads.
 */
public final class Namespace {

  private final Scope scope;
  private final Clerk clerk;
  private final Archive archive;
  private final Sessions sessions;

  Namespace(Scope scope) {
    this.scope = scope;
    this.clerk = new Clerk(scope);
    this.archive = new Archive(scope);
    this.sessions = new Sessions(scope);
  }

  public String name() {
    return scope.namespace();
  }

  /**
   * Publishes an event. One that has an id and a time, both given, is there once however often this
   * is called; one that has an id only may be there in copies, which handlers get as one.
   *
   * @throws InvalidNameException when its type or id can't be
   * @throws InvalidPayloadException when its payload is no JSON object or too large
   * @throws EventFromTheFutureException when its time is later than clocks can differ
   * @throws ChainTooLongException when too many events have caused each other
   */
  public Publication publish(NewEvent event) {
    return clerk.publisher().publish(event);
  }

  /** Publishes a typed event; see {@link NewEvent#of(Record)}. */
  public Publication publish(Record event) {
    return publish(NewEvent.of(event));
  }

  /**
   * Looks for new events, for all handlers that claim here at once; at most two requests.
   *
   * @return whether there is more to be found, as when it has found as many as it reads ahead
   */
  public boolean poll() {
    return clerk.poll();
  }

  /**
   * Claims events for a handler, by priority, time and id. Looks for new ones first. A look of the
   * last second will do, though, if the handler hasn't claimed since then (it was made by {@link
   * #poll()} or for another handler) or if it has shown as many events as are asked for.
   *
   * @return at most as many as asked for, none when there is nothing to do; what can't be read is
   *     given up and not among them
   */
  public List<Delivery> claim(ClaimRequest request) {
    return clerk.claim(request).stream().map(Delivery::new).toList();
  }

  /**
   * A delivery that a session has had from another process or run, to be settled here; empty when
   * the session doesn't have the event any more, or the event can't be read.
   */
  public Optional<Delivery> held(String eventId, String handlerId, String sessionId) {
    Naming.event(eventId);
    Naming.handler(handlerId);
    Naming.session(sessionId);
    return new Claims(scope)
        .read(eventId, handlerId)
        .flatMap(
            found ->
                found instanceof Found.Sound sound
                    ? Optional.of(sound.stored())
                    : Optional.<StoredClaim>empty())
        .filter(stored -> stored.claim().sessionId().equals(sessionId))
        .filter(stored -> stored.claim().lastError().isEmpty())
        .flatMap(stored -> archive.event(eventId).flatMap(event -> clerk.adopt(event, stored)))
        .map(Delivery::new);
  }

  /** What a handler has before it, without looking; nothing if it hasn't claimed here yet. */
  public Backlog backlog(String handlerId) {
    return clerk.backlog(handlerId);
  }

  public Sessions sessions() {
    return sessions;
  }

  /**
   * The newest events, oldest of them first, with how far they are; each once, however many copies
   * there are.
   */
  public List<ListedEvent> list(int limit) {
    return archive.list(limit);
  }

  /** The newest of those before an event, be it still there or not. */
  public List<ListedEvent> listBefore(Instant createdAt, String eventId, int limit) {
    return archive.listBefore(createdAt, eventId, limit);
  }

  /** All that is stored about an event; empty when nothing is. */
  public Optional<Inspection> inspect(String eventId) {
    return archive.inspect(eventId);
  }

  /** What was given up, by event and handler. */
  public List<DeadLetter> deadLetters(int limit) {
    return archive.deadLetters(limit);
  }

  /** Those behind that of an event and a handler, be it still there or not. */
  public List<DeadLetter> deadLettersAfter(String eventId, String handlerId, int limit) {
    return archive.deadLettersAfter(eventId, handlerId, limit);
  }

  /**
   * Publishes an event again as a new one, which begins a chain of its own; from its dead letter
   * when it has been cleaned up.
   *
   * @throws UnknownEventException when there is neither, or it can't be read
   */
  public Event replay(String eventId) {
    return replay(eventId, Optional.empty());
  }

  /**
   * The same for who may have to repeat itself.
   *
   * @param newId what the new event is called; empty for a new id
   */
  public Event replay(String eventId, Optional<String> newId) {
    Event event =
        archive
            .inspect(eventId)
            .flatMap(
                found ->
                    found
                        .event()
                        .or(
                            () ->
                                found.deadLetters().stream()
                                    .flatMap(letter -> letter.event().stream())
                                    .findFirst()))
            .orElseThrow(
                () ->
                    new UnknownEventException(
                        "there is no event "
                            + eventId
                            + " in the namespace "
                            + name()
                            + ", and no dead letter with its payload; list either to find it"));
    NewEvent again = NewEvent.of(event.type(), event.payload()).withPriority(event.priority());
    return publish(newId.map(again::withId).orElse(again)).event();
  }

  /** Throws away what is old. */
  public CleanupReport cleanup(Cleanup cleanup) {
    return new Cleaner(scope, clerk.deadLetters()).run(cleanup);
  }

  /** What there is. */
  NamespaceInfo info() {
    return new Census(scope).info(sessions.list());
  }

  void close() {
    clerk.close();
  }
}
