// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Group of rows with its aggregates, each by its name; a missing value is JSON null.
 *
 * @param key the values that its rows have in common
 */
public record GroupRow(Map<String, JsonNode> key, Map<String, JsonNode> figures) {
  public GroupRow {
    key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }
}
