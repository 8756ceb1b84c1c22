// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import io.tidemark.ledger.schema.PayloadProjection;
import io.tidemark.ledger.schema.TypeId;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Count of a type's rows that were written under other versions of its schema than the one they are
 * shown in.
 *
 * @param shown the version that all rows are shown in
 * @param rows how many rows that a query looks at are of each other version
 * @param converted fields that have another type in one of these versions; they are null in rows
 *     whose value isn't one of the type shown
 */
public record VersionMix(
    TypeId type, long shown, SortedMap<Long, Long> rows, SortedSet<String> converted) {

  public VersionMix {
    rows = Collections.unmodifiableSortedMap(new TreeMap<>(rows));
    converted = Collections.unmodifiableSortedSet(new TreeSet<>(converted));
  }

  /**
   * Returns a mix of rows that were shown by projections.
   *
   * @param projections by the versions that rows were written in
   */
  public static VersionMix of(
      TypeId type,
      long shown,
      SortedMap<Long, Long> rows,
      Map<Long, PayloadProjection> projections) {
    SortedSet<String> converted = new TreeSet<>();
    projections.forEach(
        (version, projection) -> {
          if (rows.containsKey(version)) {
            converted.addAll(projection.converted());
          }
        });
    return new VersionMix(type, shown, rows, converted);
  }

  /**
   * Returns text such as {@code entity:Customer: 2 rows of version 1 shown in version 3 (age
   * converted, null where a value doesn't fit)}.
   */
  @Override
  public String toString() {
    return rowsShown()
        + (converted.isEmpty()
            ? ""
            : " (" + String.join(", ", converted) + " converted, null where a value doesn't fit)");
  }

  private String rowsShown() {
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
