// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import io.tidemark.ledger.schema.TypeId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Rows of a type that were written under other versions of its schema than the one they are shown
 * in.
 *
 * @param shown the version that all rows are shown in
 * @param rows how many rows that a query looks at are of each other version
 */
public record VersionMix(TypeId type, long shown, SortedMap<Long, Long> rows) {

  public VersionMix {
    rows = Collections.unmodifiableSortedMap(new TreeMap<>(rows));
  }

  /** Such as {@code entity:Customer: 2 rows of version 1 shown in version 3}. */
  @Override
  public String toString() {
    return rows.entrySet().stream()
        .map(
            each ->
                each.getValue()
                    + (each.getValue() == 1 ? " row" : " rows")
                    + " of version "
                    + each.getKey())
        .collect(Collectors.joining(", ", type + ": ", " shown in version " + shown));
  }
}
