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
 * Registration of a handler with a runner.
 *
 * @param id id of the handler in every process; handlers with the same id share the work
 * @param interest filter of its events; equal in every process
 * @param handler code that handles the events
 * @param priority handlers with higher values get their turn sooner when several have work
 * @param concurrency maximum number of events it handles at once in this runner
 * @param ledger ledger that it commits to; empty when it doesn't
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

  /** Registers a handler for the events of a filter. */
  public static HandlerRegistration of(
      String id, EventTypeFilter eventTypeFilter, Handler handler) {
    return new HandlerRegistration(
        id, eventTypeFilter, handler, USUAL_PRIORITY, 1, Optional.empty());
  }

  /** Registers a handler for all events. */
  public static HandlerRegistration ofAll(String id, Handler handler) {
    return of(id, EventTypeFilter.all(), handler);
  }

  /**
   * Registers a handler for the events of a record class. An event whose payload doesn't fit the
   * record ends as a dead letter without reaching the handler.
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

  /** Returns this registration with a ledger; see {@link LedgerAccess}. */
  public HandlerRegistration withLedger(LedgerOutbox outbox, Supplier<Session> sessions) {
    LedgerAccess access = new LedgerAccess(outbox, sessions);
    return new HandlerRegistration(
        id, interest, handler, priority, concurrency, Optional.of(access));
  }
}
