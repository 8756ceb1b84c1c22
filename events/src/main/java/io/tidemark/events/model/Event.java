// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Immutable published event, as it is stored.
 *
 * @param id unique in its namespace; copies under the same id count as one event
 * @param namespace where it was published
 * @param type in dot-case, such as {@code order.created}
 * @param payload a JSON object, as text
 * @param createdAt when it was published, to the microsecond
 * @param priority higher values are claimed sooner; usually 100
 * @param rootEventId first event of its chain; its own id if it begins the chain
 * @param chainDepth number of events before it in its chain, each caused by the one before
 */
public record Event(
    String id,
    String namespace,
    String type,
    String payload,
    Instant createdAt,
    int priority,
    String rootEventId,
    int chainDepth) {

  /** Default {@link #priority()}. */
  public static final int USUAL_PRIORITY = 100;

  /** Returns the payload as a new tree, which the caller may change. */
  public ObjectNode payloadTree() {
    return PayloadJson.tree(payload);
  }

  /**
   * Returns the payload as a record.
   *
   * @throws UndecodablePayloadException when it doesn't fit the record
   */
  public <R extends Record> R payloadAs(Class<R> type) {
    return PayloadJson.read(this, type);
  }
}
