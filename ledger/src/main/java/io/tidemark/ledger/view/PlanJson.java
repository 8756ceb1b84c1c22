// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.catalog.DropRequest;
import io.tidemark.ledger.catalog.MigrationPlan;
import io.tidemark.ledger.catalog.SchemaLife;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.store.Committed;
import java.util.Optional;

/** Changes of types, which are looked at before they are meant. */
public final class PlanJson {

  private PlanJson() {}

  /** A migration that would be done. */
  public static ObjectNode migration(MigrationPlan plan) {
    return plan(plan).put("applied", false).putNull("commit_id");
  }

  /**
   * A migration that is done.
   *
   * @param done the commit; empty when there was nothing to migrate
   */
  public static ObjectNode migrated(MigrationPlan plan, Optional<Committed> done) {
    return plan(plan)
        .put("applied", true)
        .put("rows_migrated", done.map(commit -> commit.manifest().rowCount()).orElse(0L))
        .put("commit_id", done.map(commit -> commit.manifest().commitId()).orElse(null));
  }

  private static ObjectNode plan(MigrationPlan plan) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("token", plan.token().text());
    json.set("diffs", TypeJson.diffs(plan.diffs()));
    json.put(
        "estimated_rows", plan.estimatedRows().values().stream().mapToLong(Long::longValue).sum());
    json.set("types_requiring_upgraders", TypeJson.names(plan.requiringUpgraders()));
    json.set("types_schema_only", TypeJson.names(plan.schemaOnly()));
    json.set("missing_upgraders", TypeJson.names(plan.missingUpgraders()));
    return json;
  }

  /** A drop that would be done. */
  public static ObjectNode drop(DropRequest request, SchemaLife.DropPreview plan) {
    return affected(request, plan)
        .put("token", plan.token().text())
        .put("applied", false)
        .putNull("commit_id");
  }

  /** A drop that is done. */
  public static ObjectNode dropped(
      DropRequest request, SchemaLife.DropPreview plan, Committed done) {
    return affected(request, plan)
        .put("applied", true)
        .put("commit_id", done.manifest().commitId());
  }

  private static ObjectNode affected(DropRequest request, SchemaLife.DropPreview plan) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("affected_types", TypeJson.names(plan.rows().keySet()));
    ObjectNode rows = json.putObject("rows");
    plan.rows().forEach((id, count) -> rows.put(id.toString(), count));
    return json.put("purge_history", request.history() == DropPlan.History.PURGE);
  }
}
