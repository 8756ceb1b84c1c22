// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Session: a process that works on events, or one run of it.
 *
 * @param metadata metadata that the process registered
 * @param dead whether its last heartbeat is older than the TTL of sessions
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
