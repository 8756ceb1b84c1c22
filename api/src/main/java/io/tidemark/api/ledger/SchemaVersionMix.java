// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.Collections;
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
 */
public record SchemaVersionMix(
    String type, long shownVersionId, SortedMap<Long, Long> rowsByVersion) {

  public SchemaVersionMix {
    rowsByVersion = Collections.unmodifiableSortedMap(new TreeMap<>(rowsByVersion));
  }

  /** Returns a note such as {@code entity:Customer: 2 rows of version 1 shown in version 3}. */
  @Override
  public String toString() {
    return rowsByVersion.entrySet().stream()
        .map(
            each ->
                each.getValue()
                    + (each.getValue() == 1 ? " row" : " rows")
                    + " of version "
                    + each.getKey())
        .collect(Collectors.joining(", ", type + ": ", " shown in version " + shownVersionId));
  }
}
