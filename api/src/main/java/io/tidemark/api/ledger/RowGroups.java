// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups of rows with their aggregates.
 *
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 */
public record RowGroups(
    List<RowGroup> groups,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions) {

  /**
   * Group of rows.
   *
   * @param key values that its rows have in common, by their fields
   * @param figures aggregates by their names
   */
  public record RowGroup(Map<String, JsonNode> key, Map<String, JsonNode> figures) {
    public RowGroup {
      key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
      figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
  }

  public RowGroups {
    groups = List.copyOf(groups);
    schemaVersions = List.copyOf(schemaVersions);
  }
}
