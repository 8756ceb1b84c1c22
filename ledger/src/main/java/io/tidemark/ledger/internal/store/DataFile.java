// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rows of one type in one commit, as the manifest lists them.
 *
 * @param schemaVersionId 0 when the writer didn't say
 * @param sha256 of the file's bytes; empty when the writer didn't say
 * @param sizeBytes of the file; empty when the writer didn't say
 * @param previous the commit before this one that touched the type, 0 for none; empty when the
 *     writer didn't say, which other programs don't
 */
public record DataFile(
    TypeId type,
    String path,
    long rowCount,
    long schemaVersionId,
    Optional<String> sha256,
    OptionalLong sizeBytes,
    OptionalLong previous) {

  ObjectNode json() {
    ObjectNode json =
        CanonicalJson.object()
            .put("kind", type.kind().singular())
            .put("type_name", type.name())
            .put("path", path)
            .put("row_count", rowCount);
    json.put("schema_version_id", schemaVersionId == 0 ? null : (Long) schemaVersionId);
    sha256.ifPresent(hash -> json.put("content_sha256", hash));
    sizeBytes.ifPresent(size -> json.put("size_bytes", size));
    previous.ifPresent(commit -> json.put("previous_commit_id", commit));
    return json;
  }

  static DataFile parse(JsonNode json) {
    TypeKind typeKind =
        TypeKind.of(json.path("kind").asText())
            .orElseThrow(() -> new IllegalArgumentException("a file of kind " + json.path("kind")));
    String path = json.path("path").asText();
    if (path.isEmpty()) {
      throw new IllegalArgumentException("a file without a path");
    }
    return new DataFile(
        new TypeId(typeKind, json.path("type_name").asText()),
        path,
        json.path("row_count").asLong(),
        json.path("schema_version_id").asLong(),
        Optional.ofNullable(json.path("content_sha256").textValue()),
        number(json.path("size_bytes")),
        number(json.path("previous_commit_id")));
  }

  private static OptionalLong number(JsonNode json) {
    return json.isIntegralNumber() ? OptionalLong.of(json.asLong()) : OptionalLong.empty();
  }
}
