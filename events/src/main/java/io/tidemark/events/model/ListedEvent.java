// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Entry of a list of events.
 *
 * @param id id, from its key
 * @param createdAt time, from its key
 * @param status status over all handlers
 * @param event empty when the stored event can't be read
 */
public record ListedEvent(
    String id, Instant createdAt, EventStatus status, Optional<Event> event) {}
