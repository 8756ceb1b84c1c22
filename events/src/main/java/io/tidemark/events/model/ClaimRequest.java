// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.time.Duration;
import java.util.Optional;

/**
 * Request for events to handle.
 *
 * @param handlerId handler that wants them; each handler gets every event of its interest
 * @param interest events it wants; equal in every process that claims for the handler
 * @param limit maximum number of events
 * @param sessionId session of the process that does the work
 * @param lease how long the claims hold unless they are renewed; empty for that of the bus
 */
public record ClaimRequest(
    String handlerId,
    EventTypeFilter interest,
    int limit,
    String sessionId,
    Optional<Duration> lease) {
  public ClaimRequest {
    NameValidator.handler(handlerId);
    NameValidator.session(sessionId);
    if (limit < 1) {
      throw new IllegalArgumentException("a claim of " + limit + " events; ask for 1 or more");
    }
    lease.ifPresent(ClaimRequest::requirePositive);
  }

  /** Creates a request with the lease of the bus. */
  public ClaimRequest(String handlerId, EventTypeFilter interest, int limit, String sessionId) {
    this(handlerId, interest, limit, sessionId, Optional.empty());
  }

  private static void requirePositive(Duration lease) {
    if (lease.isNegative() || lease.isZero()) {
      throw new IllegalArgumentException("a lease must be positive, got " + lease);
    }
  }
}
