// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import java.util.List;
import java.util.Optional;

/**
 * A part of a bus: events published in one namespace are seen in no other. Safe for use by any
 * number of threads.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Namespace {

  Namespace() {}

  public String name() {
    throw new UnsupportedOperationException();
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
    throw new UnsupportedOperationException(event.toString());
  }

  /** Publishes a typed event; see {@link NewEvent#of(Record)}. */
  public Publication publish(Record event) {
    return publish(NewEvent.of(event));
  }

  /** Looks for new events, for all handlers at once; at most two requests. */
  public void poll() {
    throw new UnsupportedOperationException();
  }

  /**
   * Claims events for a handler, by priority, time and id. Looks for new ones first, unless that
   * was done since the handler last claimed any, as by {@link #poll()} or for another handler.
   *
   * @return at most as many as asked for, none when there is nothing to do; what can't be read is
   *     given up and not among them
   */
  public List<Delivery> claim(ClaimRequest request) {
    throw new UnsupportedOperationException(request.toString());
  }

  /**
   * A delivery that a session has had from another process or run, to be settled here; empty when
   * the session doesn't have the event any more.
   */
  public Optional<Delivery> held(String eventId, String handlerId, String sessionId) {
    throw new UnsupportedOperationException(eventId + handlerId + sessionId);
  }

  /** What a handler has before it, without looking; nothing if it hasn't claimed here yet. */
  public Backlog backlog(String handlerId) {
    throw new UnsupportedOperationException(handlerId);
  }

  public Sessions sessions() {
    throw new UnsupportedOperationException();
  }

  /** The oldest events, with how far they are; each once, however many copies there are. */
  public List<ListedEvent> list(int limit) {
    throw new UnsupportedOperationException("" + limit);
  }

  /** All that is stored about an event; empty when nothing is. */
  public Optional<Inspection> inspect(String eventId) {
    throw new UnsupportedOperationException(eventId);
  }

  /** What was given up, by event and handler. */
  public List<DeadLetter> deadLetters(int limit) {
    throw new UnsupportedOperationException("" + limit);
  }

  /**
   * Publishes an event again as a new one, which begins a chain of its own; from its dead letter
   * when it has been cleaned up.
   *
   * @throws UnknownEventException when there is neither, or it can't be read
   */
  public Event replay(String eventId) {
    throw new UnsupportedOperationException(eventId);
  }

  /** Throws away what is old. */
  public CleanupReport cleanup(Cleanup cleanup) {
    throw new UnsupportedOperationException(cleanup.toString());
  }
}
