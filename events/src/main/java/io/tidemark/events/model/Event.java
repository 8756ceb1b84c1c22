// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Something that has happened, as it is stored. Never changes.
 *
 * @param id unique in its namespace; copies under the same id count as one event
 * @param namespace where it was published
 * @param type in dot-case, such as {@code order.created}
 * @param payload a JSON object, as text
 * @param createdAt when it was published, to the microsecond
 * @param priority the higher the sooner; usually 100
 * @param rootEventId the event that began the chain this one is part of; its own id if it is that
 * @param chainDepth how many events of the chain came before it, one caused by the other
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

  /** What {@link #priority()} is when nobody says. */
  public static final int USUAL_PRIORITY = 100;

  /** The payload as a tree of the caller's own. */
  public ObjectNode payloadTree() {
    return PayloadJson.tree(payload);
  }

  /**
   * The payload as a record.
   *
   * @throws UndecodablePayloadException when it isn't one of that kind
   */
  public <R extends Record> R payloadAs(Class<R> type) {
    return PayloadJson.read(this, type);
  }
}
