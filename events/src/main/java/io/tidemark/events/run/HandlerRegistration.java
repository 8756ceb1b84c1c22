// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.model.UndecodablePayloadException;
import io.tidemark.events.source.LedgerOutbox;
import io.tidemark.ledger.Session;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A handler and what a runner has to know of it.
 *
 * @param id under which it is known everywhere; whoever handles under the same id shares the work
 * @param interest which events it gets; the same in every process
 * @param handler what is done with them
 * @param priority the higher the sooner it gets its turn, before others that have work too
 * @param concurrency how many events it handles at once in this runner
 * @param ledger into which it commits; empty when it doesn't
 */
@RecordBuilder
public record HandlerRegistration(
    String id,
    EventTypeFilter interest,
    Handler handler,
    int priority,
    int concurrency,
    Optional<LedgerAccess> ledger)
    implements HandlerRegistrationBuilder.With {

  public static final int USUAL_PRIORITY = Event.USUAL_PRIORITY;

  public HandlerRegistration {
    NameValidator.handler(id);
    if (concurrency < 1) {
      throw new IllegalArgumentException(
          "the handler " + id + " is to handle " + concurrency + " events at once; allow it 1");
    }
  }

  /** A handler that gets the events of an interest. */
  public static HandlerRegistration of(
      String id, EventTypeFilter eventTypeFilter, Handler handler) {
    return new HandlerRegistration(
        id, eventTypeFilter, handler, USUAL_PRIORITY, 1, Optional.empty());
  }

  /** A handler that gets all events. */
  public static HandlerRegistration ofAll(String id, Handler handler) {
    return of(id, EventTypeFilter.all(), handler);
  }

  /**
   * A handler that gets the events that are such records. One whose payload is none ends as a dead
   * letter without getting there.
   */
  public static <R extends Record> HandlerRegistration of(
      String id, Class<R> record, TypedHandler<R> handler) {
    return of(
        id,
        EventTypeFilter.in(record),
        eventContext -> handler.handle(decode(eventContext, record), eventContext));
  }

  private static <R extends Record> R decode(EventContext eventContext, Class<R> record)
      throws UndecodablePayloadException {
    return eventContext.event().payloadAs(record);
  }

  /** With a ledger; see {@link LedgerAccess}. */
  public HandlerRegistration withLedger(LedgerOutbox outbox, Supplier<Session> sessions) {
    LedgerAccess access = new LedgerAccess(outbox, sessions);
    return new HandlerRegistration(
        id, interest, handler, priority, concurrency, Optional.of(access));
  }
}
