// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.WireJson;
import java.util.Optional;

/**
 * Outcome of a commit.
 *
 * @param commit the commit; empty if there was nothing to commit
 * @param head newest commit afterwards, 0 for none
 */
public record CommitResult(Optional<CommitSummary> commit, long head) {

  /** Returns the document: the commit, or a null {@code commit_id}. */
  @JsonValue
  public JsonNode json() {
    return commit
        .map(WireJson::tree)
        .orElseGet(() -> JsonNodeFactory.instance.objectNode().putNull("commit_id"));
  }
}
