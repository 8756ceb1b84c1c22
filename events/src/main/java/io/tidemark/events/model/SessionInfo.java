// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * A process that works on events, or one of its runs.
 *
 * @param metadata what it said of itself
 * @param dead whether it hasn't been heard of for longer than sessions live
 */
public record SessionInfo(
    String sessionId,
    String namespace,
    Instant startedAt,
    Instant lastHeartbeat,
    ObjectNode metadata,
    boolean dead) {
  public SessionInfo {
    metadata = metadata.deepCopy();
  }
}
