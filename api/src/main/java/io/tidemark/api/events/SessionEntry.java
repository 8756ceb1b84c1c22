// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Process that works on events, or did.
 *
 * @param sessionId id of the session
 * @param namespace namespace of the events
 * @param startedAt time at which it began
 * @param lastHeartbeat time of the last sign of life
 * @param isDead whether it hasn't been heard of for 60 seconds
 * @param metadata description that the process gave of itself
 */
public record SessionEntry(
    String sessionId,
    String namespace,
    Instant startedAt,
    Instant lastHeartbeat,
    boolean isDead,
    ObjectNode metadata) {}
