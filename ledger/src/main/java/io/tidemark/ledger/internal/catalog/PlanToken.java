// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.objects.internal.hash.Sha256;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Token that proves that the caller has seen a plan: the preview shows it and the execution
 * requires it. It changes with the plan and with every commit.
 *
 * @param text the token as it is shown and typed
 */
public record PlanToken(String text) {

  private static final int FORCE_LENGTH = 16;

  /**
   * Returns the token of a migration.
   *
   * @param head the last commit; empty before the first
   */
  public static PlanToken ofMigration(List<SchemaDiff> diffs, Optional<Long> head) {
    ArrayNode plan = CanonicalJson.object().arrayNode();
    diffs.stream()
        .sorted(Comparator.comparing(SchemaDiff::type))
        .forEach(diff -> plan.add(json(diff)));
    return of(Sha256.hex(CanonicalJson.write(plan)), head);
  }

  private static ObjectNode json(SchemaDiff diff) {
    ObjectNode json = CanonicalJson.object();
    json.put("type_kind", diff.type().kind().singular());
    json.put("type_name", diff.type().name());
    json.put("stored_version", diff.storedVersion());
    ArrayNode added = json.putArray("added_fields");
    diff.added().forEach(added::add);
    ArrayNode removed = json.putArray("removed_fields");
    diff.removed().forEach(removed::add);
    ObjectNode changed = json.putObject("changed_fields");
    diff.changed()
        .forEach(
            (name, change) ->
                changed
                    .putObject(name)
                    .put("stored", change.stored())
                    .put("code", change.declared()));
    return json;
  }

  /** Returns the token of a drop. */
  public static PlanToken ofDrop(DropPlan plan) {
    ObjectNode json = CanonicalJson.object();
    ArrayNode affected = json.putArray("affected");
    ObjectNode heads = json.putObject("schema_heads");
    plan.affected()
        .forEach(
            (type, version) -> {
              affected.addArray().add(type.kind().singular()).add(type.name());
              // By the name alone, unless an entity has it already.
              heads.put(heads.has(type.name()) ? type.toString() : type.name(), version);
            });
    json.put("purge", plan.history() == DropPlan.History.PURGE);
    json.put("head", plan.head().orElse(null));
    return of(Sha256.hex(CanonicalJson.write(json)), plan.head());
  }

  /** Returns the token for the new initialisation of a store in use, which identifies the store. */
  public static PlanToken ofForcedInit(String storageUri) {
    return new PlanToken(Sha256.hex(storageUri + ":force-init").substring(0, FORCE_LENGTH));
  }

  private static PlanToken of(String hash, Optional<Long> head) {
    String text = hash + ":" + head.map(String::valueOf).orElse("none");
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return new PlanToken(Base64.getUrlEncoder().encodeToString(bytes));
  }

  @Override
  public String toString() {
    return text;
  }
}
