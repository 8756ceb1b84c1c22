// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.time.Instant;
import java.util.Optional;

/**
 * An event that a handler was given up on, and why. It outlives the event.
 *
 * @param failedAt when it was given up
 * @param attempts how often it was tried
 * @param lastError why it failed
 * @param event what was to be handled; empty when it couldn't be read, or when another program
 *     wrote this, which keeps less
 * @param raw what was found in place of an event or a claim that couldn't be read
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
