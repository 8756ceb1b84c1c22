// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.schedule;

import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.EventTypes;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.PayloadJson;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;

/**
 * Schedule of an event that is published repeatedly.
 *
 * @param cron times of the events
 * @param type type of the events
 * @param payload payload of each event, a JSON object as text
 * @param priority priority of each event
 */
public record Schedule(Cron cron, String type, String payload, int priority) {
  public Schedule {
    NameValidator.type(type);
    payload = PayloadJson.check(payload, Integer.MAX_VALUE);
  }

  /** Returns a schedule of events of a type with this payload, a JSON object. */
  public static Schedule of(String cron, String type, String payload) {
    NewEvent event = NewEvent.of(type, payload);
    return new Schedule(Cron.parse(cron), type, payload, event.priority());
  }

  /** Returns a schedule of a typed event. */
  public static Schedule of(String cron, Record event) {
    EventTypes.TypeDescriptor type = EventTypes.of(event.getClass());
    return new Schedule(Cron.parse(cron), type.name(), PayloadJson.write(event), type.priority());
  }

  public Schedule withPriority(int other) {
    return new Schedule(cron, type, payload, other);
  }

  /**
   * Returns the event of one time. Its id is derived from the namespace, the type, the payload and
   * the time, so every publisher publishes the same event.
   */
  NewEvent at(String namespace, Instant fireTime) {
    String id = EventIds.of("schedule", namespace, type, payload, UtcTimestamp.format(fireTime));
    return NewEvent.of(type, payload).withPriority(priority).withId(id).at(fireTime);
  }
}
