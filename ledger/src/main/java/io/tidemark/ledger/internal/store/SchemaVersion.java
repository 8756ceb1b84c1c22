// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One version of a type's schema.
 *
 * @param id counts from 1, and on from the highest when a dropped type comes back
 * @param schemaJson the schema as stored, canonical text
 * @param hash of that text
 * @param createdAt as stored
 * @param reason {@code initial}, {@code migration} or another program's
 * @param renamed the fields that had another name in the version before, each with that name
 */
public record SchemaVersion(
    TypeId type,
    long id,
    String schemaJson,
    String hash,
    String createdAt,
    String runtimeId,
    String reason,
    SortedMap<String, String> renamed) {

  private static final String RENAMED = "renamed_fields";

  public SchemaVersion {
    renamed = Collections.unmodifiableSortedMap(new TreeMap<>(renamed));
  }

  /** Returns the version as the file of a type's versions lists it. */
  public ObjectNode json() {
    ObjectNode json = CanonicalJson.object();
    if (!renamed.isEmpty()) {
      renamed.forEach(json.putObject(RENAMED)::put);
    }
    return json.put("schema_version_id", id)
        .put("schema_json", schemaJson)
        .put("schema_hash", hash)
        .put("created_at", createdAt)
        .put("runtime_id", runtimeId)
        .put("reason", reason);
  }

  /** Returns the version as a manifest lists it, where its type has to be said. */
  ObjectNode withType() {
    return json().put("type_kind", type.kind().singular()).put("type_name", type.name());
  }

  static SchemaVersion parse(JsonNode json) {
    TypeKind typeKind =
        TypeKind.of(json.path("type_kind").asText())
            .orElseThrow(() -> new IllegalArgumentException("a schema of no kind"));
    return parse(new TypeId(typeKind, json.path("type_name").asText()), json);
  }

  public static SchemaVersion parse(TypeId type, JsonNode json) {
    JsonNode schema = json.path("schema_json");
    if (!schema.isTextual() && !schema.isObject()) {
      throw new IllegalArgumentException("a version without schema_json");
    }
    if (!json.path("schema_version_id").isIntegralNumber()) {
      throw new IllegalArgumentException(
          "a version whose schema_version_id is " + json.path("schema_version_id"));
    }
    return new SchemaVersion(
        type,
        json.path("schema_version_id").asLong(),
        schema.isTextual() ? schema.textValue() : CanonicalJson.write(schema),
        json.path("schema_hash").asText(),
        json.path("created_at").asText(),
        json.path("runtime_id").asText(),
        json.path("reason").asText(),
        renamed(json.path(RENAMED)));
  }

  private static SortedMap<String, String> renamed(JsonNode json) {
    SortedMap<String, String> renamed = new TreeMap<>();
    json.properties().forEach(each -> renamed.put(each.getKey(), each.getValue().asText()));
    return renamed;
  }
}
