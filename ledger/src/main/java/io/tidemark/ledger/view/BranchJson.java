// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.branch.MergeOutcome;
import io.tidemark.ledger.branch.MergeOutcome.Conflict;
import io.tidemark.ledger.branch.MergeOutcome.Conflicted;
import io.tidemark.ledger.branch.MergeOutcome.FastForward;
import io.tidemark.ledger.branch.MergeOutcome.FieldConflict;
import io.tidemark.ledger.branch.MergeOutcome.Merged;
import io.tidemark.ledger.branch.MergeOutcome.UpToDate;
import java.util.Optional;

/** How branches differ, and what becomes of them. */
public final class BranchJson {

  private BranchJson() {}

  /** What came, or would come, of a merge. */
  public static ObjectNode merge(MergeOutcome outcome) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (outcome instanceof Merged merged) {
      json.put("outcome", "merged").put("base_commit", merged.base());
      json.put("commit_id", merged.commit().orElse(null));
      ArrayNode counts = json.putArray("counts");
      merged
          .counts()
          .forEach(
              (type, count) ->
                  counts.add(
                      TypeJson.name(type)
                          .put("taken", count.taken())
                          .put("combined", count.combined())
                          .put("resolved", count.resolved())));
    } else if (outcome instanceof Conflicted conflicted) {
      json.put("outcome", "conflict").put("base_commit", conflicted.base());
      json.put("conflicts", conflicted.total());
      ArrayNode list = json.putArray("first");
      conflicted.first().forEach(each -> list.add(conflict(each)));
    } else if (outcome instanceof FastForward forward) {
      json.put("outcome", "fast_forward").put("target_commit", forward.from());
    } else if (outcome instanceof UpToDate upToDate) {
      json.put("outcome", "up_to_date").put("target_commit", upToDate.target());
    }
    return json.put("source_commit", outcome.source());
  }

  private static ObjectNode conflict(Conflict conflict) {
    ObjectNode json = RowJson.identity(conflict.type(), conflict.identity());
    ArrayNode fields = json.putArray("fields");
    for (FieldConflict each : conflict.fields()) {
      ObjectNode field = fields.addObject().put("field", each.field());
      put(field, "base", each.base());
      put(field, "ours", each.ours());
      put(field, "theirs", each.theirs());
    }
    return json;
  }

  /** A field that isn't there is left out, since null is a value. */
  private static void put(ObjectNode json, String name, Optional<JsonNode> value) {
    value.ifPresent(found -> json.set(name, found));
  }
}
