// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * An event to be published.
 *
 * @param type in dot-case, such as {@code order.created}
 * @param payload a JSON object, as text
 * @param priority the higher the sooner
 * @param id empty for a new one. What is published twice under one id is one event to handlers, so
 *     whoever may have to repeat itself gives one, such as {@link EventIds#of}
 * @param createdAt empty for now; not in the future. A time that is longer ago than clocks may
 *     differ costs another copy with the time of now, as nobody looks for events back there
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
   * What caused an event.
   *
   * @param rootEventId the event that began the chain
   * @param chainDepth how many events of the chain come before the new one
   */
  public record Lineage(String rootEventId, int chainDepth) {}

  /** An event whose type and priority are those of its record; see {@link EventTypes}. */
  public static NewEvent of(Record event) {
    EventTypes.TypeDescriptor type = EventTypes.of(event.getClass());
    return of(type.name(), PayloadJson.write(event)).withPriority(type.priority());
  }

  /** An event with a JSON object as its payload. */
  public static NewEvent of(String type, JsonNode payload) {
    return of(type, payload.toString());
  }

  /** An event with the text of a JSON object as its payload. */
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

  /** With its place in a chain. */
  public NewEvent withLineage(String rootEventId, int chainDepth) {
    Lineage other = new Lineage(rootEventId, chainDepth);
    return new NewEvent(type, payload, priority, id, createdAt, Optional.of(other));
  }

  /** As the next in the chain of the event that is the reason for it. */
  public NewEvent causedBy(Event cause) {
    return withLineage(cause.rootEventId(), cause.chainDepth() + 1);
  }
}
