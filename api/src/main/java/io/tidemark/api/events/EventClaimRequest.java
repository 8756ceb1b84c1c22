// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Request for work.
 *
 * @param handler id of the handler; each handler gets every event of its types
 * @param session id of the session that does the work; empty for a new one
 * @param types types of the handler, equal in each of its claims; empty for all
 * @param limit maximum number of events, 1 unless given
 * @param leaseSeconds length of the lease, 30 unless given; a lease should be longer than clocks
 *     differ
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record EventClaimRequest(
    String handler,
    Optional<String> session,
    List<String> types,
    Optional<Integer> limit,
    Optional<Long> leaseSeconds)
    implements EventClaimRequestBuilder.With {

  public EventClaimRequest {
    types = List.copyOf(types);
  }

  /** Returns a request for one event of any type, for 30 seconds. */
  public static EventClaimRequest of(String handler) {
    return new EventClaimRequest(
        handler, Optional.empty(), List.of(), Optional.empty(), Optional.empty());
  }

  /** Returns the request with a lease in whole seconds. */
  public EventClaimRequest withLease(Duration lease) {
    return withLeaseSeconds(Optional.of(lease.toSeconds()));
  }
}
