// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.time.Instant;
import java.util.Optional;

/**
 * A line of a list of events.
 *
 * @param id by its key
 * @param createdAt by its key
 * @param status how far it is
 * @param event empty when what is stored can't be read
 */
public record ListedEvent(
    String id, Instant createdAt, EventStatus status, Optional<Event> event) {}
