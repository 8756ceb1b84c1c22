// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** State of an event, all its handlers taken together; the first of these that is true of any. */
public enum EventState {
  /** A handler has given the event up. */
  DEAD_LETTERED,
  /** A handler has acknowledged the event. */
  ACKED,
  /** A handler is at work on the event. */
  CLAIMED,
  /** No handler has the event. */
  PENDING;

  /** Returns the state as it is written, such as {@code dead_lettered}. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
