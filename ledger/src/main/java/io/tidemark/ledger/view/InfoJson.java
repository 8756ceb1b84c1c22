// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.LedgerInfo;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.named.LedgerAdoption;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.SchemaVersion;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Ledgers as a whole. */
public final class InfoJson {

  private InfoJson() {}

  /** What there would be of a ledger. */
  public static ObjectNode plan(String ledger, LedgerInit.Plan plan) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("ledger", ledger)
            .put("storage_uri", plan.location())
            .put("already_initialized", plan.alreadyInitialized())
            .put("force_token", plan.forceToken())
            .put("engine_version", plan.engineVersion());
    ArrayNode planned = json.putArray("planned_objects");
    plan.plannedObjects().forEach(planned::add);
    return json;
  }

  /** A ledger that was just made. */
  public static ObjectNode made(String ledger, String location) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("ledger", ledger)
        .put("storage_uri", location)
        .put("initialized", true);
  }

  /** A ledger that was given a name. */
  public static ObjectNode adopted(LedgerAdoption.Adopted adopted) {
    ObjectNode json =
        made(adopted.address().toString(), adopted.location())
            .put("head_commit_id", adopted.head() == 0 ? null : adopted.head());
    ArrayNode branches = json.putArray("branches");
    adopted.branches().forEach(branch -> branches.add(branch.toString()));
    return json;
  }

  /**
   * How a ledger is. Keys that weren't asked for are there too, as null.
   *
   * @param counts how many rows each type has, if they were counted
   * @param schemas the current ones, if they were asked for
   */
  public static ObjectNode info(
      String ledger,
      LedgerInfo info,
      Optional<? extends Map<TypeId, Long>> counts,
      Optional<? extends Map<TypeId, SchemaVersion>> schemas) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("ledger", ledger)
            .put("head_commit_id", info.head().orElse(null))
            .put("storage_uri", info.location())
            .put("engine_version", info.engineVersion())
            .put("initialized", true)
            .put("last_index_warning", info.indexWarning().orElse(null));
    json.set("misnamed_commit_id", orNull(info.misnamed()));
    Map<TypeId, JsonNode> numbers = new TreeMap<>();
    counts.ifPresent(
        all -> all.forEach((type, count) -> numbers.put(type, LongNode.valueOf(count))));
    Map<TypeId, JsonNode> stored = new TreeMap<>();
    schemas.ifPresent(
        all ->
            all.forEach((type, version) -> stored.put(type, RowJson.parsed(version.schemaJson()))));
    for (Kind kind : Kind.values()) {
      json.set(kind.singular() + "_counts", counts.isPresent() ? ofKind(kind, numbers) : null);
    }
    for (Kind kind : Kind.values()) {
      json.set(kind.singular() + "_schemas", schemas.isPresent() ? ofKind(kind, stored) : null);
    }
    return json;
  }

  private static ObjectNode ofKind(Kind kind, Map<TypeId, JsonNode> values) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    values.forEach(
        (type, value) -> {
          if (type.kind() == kind) {
            json.set(type.name(), value);
          }
        });
    return json;
  }

  /** A number, or null where there is none. */
  static JsonNode orNull(OptionalLong value) {
    return value.isPresent()
        ? LongNode.valueOf(value.getAsLong())
        : JsonNodeFactory.instance.nullNode();
  }
}
