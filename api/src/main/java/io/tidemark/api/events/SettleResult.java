// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Optional;

/**
 * Outcome of settling one event.
 *
 * @param eventId id of the event
 * @param handlerId handler that it was claimed for
 * @param sessionId session that was to settle it
 * @param result effect of the settlement
 * @param claim claim as it is now; empty if the handler has claimed no such event
 */
public record SettleResult(
    String eventId, String handlerId, String sessionId, Result result, Optional<EventClaim> claim) {

  /** Effect of a settlement; one that was settled so before counts as settled. */
  public enum Result {
    /** The handler is done with the event. */
    ACKED,
    /** The handler gets the event again. */
    RELEASED,
    /** The event was given up. */
    DEAD_LETTERED,
    /** The lease begins anew. */
    RENEWED,
    /** No effect: the session doesn't hold the event any more. */
    SUPERSEDED;

    /** Returns the effect as it is written, such as {@code dead_lettered}. */
    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns whether the settlement had an effect, now or before. */
  @JsonIgnore
  public boolean isDone() {
    return result != Result.SUPERSEDED;
  }
}
