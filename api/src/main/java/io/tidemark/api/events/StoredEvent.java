// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Event as it is stored. It never changes.
 *
 * @param id id, unique in its namespace
 * @param namespace namespace in which it was published
 * @param type type in dot-case, such as {@code order.created}
 * @param payload JSON object
 * @param createdAt time of its publication
 * @param priority priority; handlers get the highest first
 * @param rootEventId id of the event that began the chain; its own id if it began one
 * @param chainDepth number of events before it in the chain
 */
public record StoredEvent(
    String id,
    String namespace,
    String type,
    ObjectNode payload,
    Instant createdAt,
    int priority,
    String rootEventId,
    int chainDepth) {}
