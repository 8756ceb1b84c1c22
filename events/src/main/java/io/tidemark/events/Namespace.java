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
 * Namespace of a bus: events published in one namespace are seen in no other. Safe for use by any
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
   * Publishes an event. When both its id and its time are given, the event is stored once, however
   * often this is called. When only its id is given, it may be stored in copies, which handlers get
   * as one event.
   *
   * @throws InvalidNameException when its type or id isn't a valid name
   * @throws InvalidEventPayloadException when its payload is no JSON object or too large
   * @throws FutureEventException when its time is later than clock skew allows
   * @throws ChainTooLongException when its chain of causes is too long
   */
  public Publication publish(NewEvent event) {
    return claimService.publisher().publish(event);
  }

  /** Publishes a typed event; see {@link NewEvent#of(Record)}. */
  public Publication publish(Record event) {
    return publish(NewEvent.of(event));
  }

  /**
   * Polls for new events, for all handlers that claim here at once; at most two requests.
   *
   * @return whether there are more events to find, as when the poll stopped at the read-ahead limit
   */
  public boolean poll() {
    return claimService.poll();
  }

  /**
   * Claims events for a handler, by priority, time and id. Polls for new events first. The result
   * of a poll of the last second is used instead in two cases: the handler hasn't claimed since
   * that poll, which {@link #poll()} or another handler made; or the handler has claimable events
   * left, even if they are fewer than asked for.
   *
   * @return at most as many deliveries as asked for, none when there is nothing to do; events that
   *     can't be read are given up and left out
   */
  public List<Delivery> claim(ClaimRequest request) {
    return claimService.claim(request).stream().map(Delivery::new).toList();
  }

  /**
   * Returns a delivery that another process or run claimed for a session, so that it can be settled
   * here. Empty when the session doesn't hold the event any more, or the event can't be read.
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

  /**
   * Returns the backlog of a handler as of the last poll; empty if the handler hasn't claimed here
   * yet.
   */
  public Backlog backlog(String handlerId) {
    return claimService.backlog(handlerId);
  }

  public Sessions sessions() {
    return sessions;
  }

  /**
   * Returns the newest events, oldest of them first, with their status; copies of an event count as
   * one.
   */
  public List<ListedEvent> list(int limit) {
    return eventArchive.list(limit);
  }

  /** Returns the newest events before the given one, which needn't be stored any more. */
  public List<ListedEvent> listBefore(Instant createdAt, String eventId, int limit) {
    return eventArchive.listBefore(createdAt, eventId, limit);
  }

  /** Returns everything that is stored about an event; empty when nothing is. */
  public Optional<Inspection> inspect(String eventId) {
    return eventArchive.inspect(eventId);
  }

  /** Returns the dead letters, by event and handler. */
  public List<DeadLetter> deadLetters(int limit) {
    return eventArchive.deadLetters(limit);
  }

  /**
   * Returns the dead letters after that of an event and a handler, which needn't be stored any
   * more.
   */
  public List<DeadLetter> deadLettersAfter(String eventId, String handlerId, int limit) {
    return eventArchive.deadLettersAfter(eventId, handlerId, limit);
  }

  /**
   * Publishes an event again as a new one, which begins a chain of its own; from its dead letter
   * when the event has been cleaned up.
   *
   * @throws UnknownEventException when there is neither, or it can't be read
   */
  public Event replay(String eventId) {
    return replay(eventId, Optional.empty());
  }

  /**
   * Publishes an event again under a given id, so that the call can be retried.
   *
   * @param newId id of the new event; empty for a new id
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

  /** Deletes old events, claims, dead letters and sessions. */
  public CleanupReport cleanup(Cleanup cleanup) {
    return new Cleaner(namespaceStore, claimService.deadLetters()).run(cleanup);
  }

  /** Returns a summary of this namespace. */
  NamespaceInfo info() {
    return new NamespaceCounter(namespaceStore).info(sessions.list());
  }

  void close() {
    claimService.close();
  }
}
