// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Record of an event that was given up for a handler, with the reason. It outlives the event.
 *
 * @param failedAt when it was given up
 * @param attempts number of attempts
 * @param lastError error of the last attempt
 * @param event the event itself; empty when it couldn't be read, or when another program, which
 *     keeps less, wrote this
 * @param raw text found in place of an event or a claim that couldn't be read
 */
public record DeadLetter(
    String eventId,
    String handlerId,
    String namespace,
    Instant failedAt,
    int attempts,
    String lastError,
    Optional<Event> event,
    Optional<String> raw) {}
