// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.UtcTimestamp;
import java.util.Optional;
import java.util.SortedMap;

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

  /** Returns a commit whose changes follow, with the types whose rows are deleted if there are. */
  public static ObjectNode changes(Commit commit, SortedMap<TypeId, Long> purged) {
    ObjectNode json = commit(commit);
    if (!purged.isEmpty()) {
      json.set("purged", TypeJson.purged(purged));
    }
    return json;
  }

  /** What came of committing; empty when there was nothing to change. */
  public static ObjectNode outcome(Optional<Commit> commit) {
    return commit
        .map(CommitJson::commit)
        .orElseGet(() -> JsonNodeFactory.instance.objectNode().putNull("commit_id"));
  }
}
