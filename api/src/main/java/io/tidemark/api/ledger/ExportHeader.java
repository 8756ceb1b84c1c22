// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Head of an export.
 *
 * @param commitId newest commit of what is exported; 0 if there is none
 * @param types exported types, in the order of their lines
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 */
public record ExportHeader(
    long commitId,
    List<ExportedType> types,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions) {

  /**
   * Exported type.
   *
   * @param file name of its file in a directory
   * @param schemaJson stored form of the schema that its rows are written in
   */
  public record ExportedType(String typeKind, String typeName, String file, JsonNode schemaJson) {}

  public ExportHeader {
    types = List.copyOf(types);
    schemaVersions = List.copyOf(schemaVersions);
  }
}
