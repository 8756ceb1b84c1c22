// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.time.Instant;

/**
 * Event in the hands of a session until its lease ends.
 *
 * @param eventId id of the event
 * @param handlerId handler that it was claimed for
 * @param sessionId session that claimed it, by which it is settled
 * @param attempt 1 the first time that the handler gets the event
 * @param leaseUntil time from which another session may claim it
 * @param idempotencyKey key that is equal each time the handler gets the event
 * @param event event itself
 */
public record ClaimedEvent(
    String eventId,
    String handlerId,
    String sessionId,
    int attempt,
    Instant leaseUntil,
    String idempotencyKey,
    StoredEvent event) {}
