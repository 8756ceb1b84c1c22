// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.subscribe;

import io.tidemark.events.model.NameValidator;
import io.tidemark.events.schedule.Schedule;

/**
 * Schedule under a name.
 *
 * @param name name, unique in its namespace
 * @param schedule times, type and payload of the events
 */
public record NamedSchedule(String name, Schedule schedule) {
  public NamedSchedule {
    NameValidator.handler(name);
  }
}
