// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.time.Instant;
import java.util.Optional;

/**
 * Event that a handler has given up, with the reason. It outlives the event.
 *
 * @param eventId id of the event
 * @param handlerId id of the handler
 * @param namespace namespace of the event
 * @param failedAt time at which it was given up
 * @param attempts number of attempts
 * @param lastError reason
 * @param eventType type of the event; empty if it couldn't be read
 * @param event event as far as it is kept; empty if it couldn't be read
 * @param raw stored text in place of an event or claim that couldn't be read
 */
public record DeadLetterEntry(
    String eventId,
    String handlerId,
    String namespace,
    Instant failedAt,
    int attempts,
    String lastError,
    Optional<String> eventType,
    Optional<StoredEvent> event,
    Optional<String> raw) {}
