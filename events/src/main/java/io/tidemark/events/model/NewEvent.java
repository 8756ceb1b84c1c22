// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * Event to be published.
 *
 * @param type in dot-case, such as {@code order.created}
 * @param payload a JSON object, as text
 * @param priority higher values are claimed sooner
 * @param id empty for a new id. Handlers get events published twice under one id as one event, so a
 *     publisher that may have to retry sets an id, such as {@link EventIds#of}
 * @param createdAt empty for now; not in the future. A time further back than clock skew allows
 *     costs another copy with the time of now, as polls don't look back that far
 * @param lineage empty for an event that begins a chain
 */
public record NewEvent(
    String type,
    String payload,
    int priority,
    Optional<String> id,
    Optional<Instant> createdAt,
    Optional<Lineage> lineage) {

  /**
   * Position of an event in its chain of causes.
   *
   * @param rootEventId first event of the chain
   * @param chainDepth number of events of the chain before the new one
   */
  public record Lineage(String rootEventId, int chainDepth) {}

  /** Creates an event whose type and priority are those of its record; see {@link EventTypes}. */
  public static NewEvent of(Record event) {
    EventTypes.TypeDescriptor type = EventTypes.of(event.getClass());
    return of(type.name(), PayloadJson.write(event)).withPriority(type.priority());
  }

  /** Creates an event with a JSON object as its payload. */
  public static NewEvent of(String type, JsonNode payload) {
    return of(type, payload.toString());
  }

  /** Creates an event with the text of a JSON object as its payload. */
  public static NewEvent of(String type, String payload) {
    return new NewEvent(
        type, payload, Event.USUAL_PRIORITY, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public NewEvent withPriority(int other) {
    return new NewEvent(type, payload, other, id, createdAt, lineage);
  }

  public NewEvent withId(String other) {
    return new NewEvent(type, payload, priority, Optional.of(other), createdAt, lineage);
  }

  public NewEvent at(Instant moment) {
    return new NewEvent(type, payload, priority, id, Optional.of(moment), lineage);
  }

  /** Returns this event with a position in a chain. */
  public NewEvent withLineage(String rootEventId, int chainDepth) {
    Lineage other = new Lineage(rootEventId, chainDepth);
    return new NewEvent(type, payload, priority, id, createdAt, Optional.of(other));
  }

  /** Returns this event as the next in the chain of the event that caused it. */
  public NewEvent causedBy(Event cause) {
    return withLineage(cause.rootEventId(), cause.chainDepth() + 1);
  }
}
