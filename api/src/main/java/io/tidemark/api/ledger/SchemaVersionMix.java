// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Rows of a type that were written under other versions of its schema than the one they are shown
 * in.
 *
 * @param type type with its kind, such as {@code entity:Customer}
 * @param shownVersionId version that all rows are shown in
 * @param rowsByVersion number of rows of each other version
 * @param convertedFields fields that have another type in one of these versions, and are null where
 *     a value is none of the type shown
 */
public record SchemaVersionMix(
    String type,
    long shownVersionId,
    SortedMap<Long, Long> rowsByVersion,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> convertedFields) {

  public SchemaVersionMix {
    rowsByVersion = Collections.unmodifiableSortedMap(new TreeMap<>(rowsByVersion));
    convertedFields = List.copyOf(convertedFields);
  }

  /** Returns a note such as {@code entity:Customer: 2 rows of version 1 shown in version 3}. */
  @Override
  public String toString() {
    String converted =
        convertedFields.isEmpty()
            ? ""
            : " ("
                + String.join(", ", convertedFields)
                + " converted, null where a value doesn't fit)";
    return rowsByVersion.entrySet().stream()
        .map(
            each ->
                each.getValue()
                    + (each.getValue() == 1 ? " row" : " rows")
                    + " of version "
                    + each.getKey())
        .collect(
            Collectors.joining(
                ", ", type + ": ", " shown in version " + shownVersionId + converted));
  }
}
