// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Aggregates of all rows, by their names.
 *
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 */
public record RowAggregates(
    Map<String, JsonNode> figures,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions) {

  public RowAggregates {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    schemaVersions = List.copyOf(schemaVersions);
  }
}
