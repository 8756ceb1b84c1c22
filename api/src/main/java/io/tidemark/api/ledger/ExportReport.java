// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Result of an export.
 *
 * @param commitId newest commit of what was exported; 0 if there is none
 * @param rows number of rows of each type, such as {@code entity:Customer}
 * @param schemaVersions types with rows of other versions of their schema than they were written in
 */
public record ExportReport(
    long commitId,
    SortedMap<String, Long> rows,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions) {

  public ExportReport {
    rows = Collections.unmodifiableSortedMap(new TreeMap<>(rows));
    schemaVersions = List.copyOf(schemaVersions);
  }

  /** Returns the number of rows of all types. */
  public long total() {
    return rows.values().stream().mapToLong(Long::longValue).sum();
  }
}
