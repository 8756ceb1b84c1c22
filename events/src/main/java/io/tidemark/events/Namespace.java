// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.events.claim.ClaimService;
import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.CleanupReport;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.FutureEventException;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.model.NamespaceInfo;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.events.model.UnknownEventException;
import io.tidemark.events.store.ClaimStore;
import io.tidemark.events.store.ClaimStore.StoredEntry;
import io.tidemark.events.store.Cleaner;
import io.tidemark.events.store.EventArchive;
import io.tidemark.events.store.NamespaceCounter;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.events.store.StoredClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A part of a bus: events published in one namespace are seen in no other. Safe for use by any
 * number of threads.
 */
public final class Namespace {

  private final NamespaceStore namespaceStore;
  private final ClaimService claimService;
  private final EventArchive eventArchive;
  private final Sessions sessions;

  Namespace(NamespaceStore namespaceStore) {
    this.namespaceStore = namespaceStore;
    this.claimService = new ClaimService(namespaceStore);
    this.eventArchive = new EventArchive(namespaceStore);
    this.sessions = new Sessions(namespaceStore);
  }

  public String name() {
    return namespaceStore.namespace();
  }

  /**
   * Publishes an event. One that has an id and a time, both given, is there once however often this
   * is called; one that has an id only may be there in copies, which handlers get as one.
   *
   * @throws InvalidNameException when its type or id can't be
   * @throws InvalidEventPayloadException when its payload is no JSON object or too large
   * @throws FutureEventException when its time is later than clocks can differ
   * @throws ChainTooLongException when too many events have caused each other
   */
  public Publication publish(NewEvent event) {
    return claimService.publisher().publish(event);
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
    return claimService.poll();
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
    return claimService.claim(request).stream().map(Delivery::new).toList();
  }

  /**
   * A delivery that a session has had from another process or run, to be settled here; empty when
   * the session doesn't have the event any more, or the event can't be read.
   */
  public Optional<Delivery> heldDelivery(String eventId, String handlerId, String sessionId) {
    NameValidator.event(eventId);
    NameValidator.handler(handlerId);
    NameValidator.session(sessionId);
    return new ClaimStore(namespaceStore)
        .read(eventId, handlerId)
        .flatMap(
            storedEntry ->
                storedEntry instanceof StoredEntry.Valid valid
                    ? Optional.of(valid.stored())
                    : Optional.<StoredClaim>empty())
        .filter(stored -> stored.claim().sessionId().equals(sessionId))
        .filter(stored -> stored.claim().lastError().isEmpty())
        .flatMap(
            stored ->
                eventArchive.event(eventId).flatMap(event -> claimService.resume(event, stored)))
        .map(Delivery::new);
  }

  /** What a handler has before it, without looking; nothing if it hasn't claimed here yet. */
  public Backlog backlog(String handlerId) {
    return claimService.backlog(handlerId);
  }

  public Sessions sessions() {
    return sessions;
  }

  /**
   * The newest events, oldest of them first, with how far they are; each once, however many copies
   * there are.
   */
  public List<ListedEvent> list(int limit) {
    return eventArchive.list(limit);
  }

  /** The newest of those before an event, be it still there or not. */
  public List<ListedEvent> listBefore(Instant createdAt, String eventId, int limit) {
    return eventArchive.listBefore(createdAt, eventId, limit);
  }

  /** All that is stored about an event; empty when nothing is. */
  public Optional<Inspection> inspect(String eventId) {
    return eventArchive.inspect(eventId);
  }

  /** What was given up, by event and handler. */
  public List<DeadLetter> deadLetters(int limit) {
    return eventArchive.deadLetters(limit);
  }

  /** Those behind that of an event and a handler, be it still there or not. */
  public List<DeadLetter> deadLettersAfter(String eventId, String handlerId, int limit) {
    return eventArchive.deadLettersAfter(eventId, handlerId, limit);
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
        eventArchive
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
    return new Cleaner(namespaceStore, claimService.deadLetters()).run(cleanup);
  }

  /** What there is. */
  NamespaceInfo info() {
    return new NamespaceCounter(namespaceStore).info(sessions.list());
  }

  void close() {
    claimService.close();
  }
}
