// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Settlement of events that a session has claimed.
 *
 * @param as kind of settlement
 * @param handler handler that the events were claimed for
 * @param session session that claimed them
 * @param events ids of the events
 * @param error reason of a release or of giving up
 * @param leaseSeconds length of a renewed lease, 30 unless given
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SettleRequest(
    SettleKind as,
    String handler,
    String session,
    List<String> events,
    Optional<String> error,
    Optional<Long> leaseSeconds)
    implements SettleRequestBuilder.With {

  public SettleRequest {
    events = List.copyOf(events);
  }

  /** Kind of a settlement. */
  public enum SettleKind {
    /** The handler is done with the event. */
    ACK,
    /** The handler has failed; it gets the event again after a while, or it is given up. */
    RELEASE,
    /** The event is given up at once and becomes a dead letter. */
    GIVE_UP,
    /** The lease begins anew. */
    RENEW;

    /** Returns the kind as it is written, such as {@code give_up}. */
    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns a settlement without a reason. */
  public static SettleRequest of(
      SettleKind settleKind, String handler, String session, List<String> events) {
    return new SettleRequest(
        settleKind, handler, session, events, Optional.empty(), Optional.empty());
  }
}
