// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What became of a batch, which was done as a whole or not at all. */
public sealed interface BatchOutcome {

  /**
   * {@code committed}, the {@code txn} if it is, and the {@code rows} in the order of the batch.
   */
  ObjectNode json();

  /** All of it is there. */
  record Committed(ObjectNode json) implements BatchOutcome {

    public long txn() {
      return json.path("txn").asLong();
    }
  }

  /** Nothing of it was done: the rows say which of them can't be, and what is there instead. */
  record Refused(ObjectNode json) implements BatchOutcome {}
}
