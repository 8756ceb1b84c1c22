// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Commit;
import io.tidemark.objects.UtcTimestamp;
import java.util.Optional;

/** Commits. */
public final class CommitJson {

  private CommitJson() {}

  public static ObjectNode commit(Commit commit) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("commit_id", commit.id())
            .put("timestamp", UtcTimestamp.format(commit.createdAt()))
            .put("operations", commit.operations());
    json.set("meta", commit.metadata());
    return json;
  }

  /** What came of committing; empty when there was nothing to change. */
  public static ObjectNode outcome(Optional<Commit> commit) {
    return commit
        .map(CommitJson::commit)
        .orElseGet(() -> JsonNodeFactory.instance.objectNode().putNull("commit_id"));
  }
}
