// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * Rules for reading CSV. Those that are empty follow from the header.
 *
 * @param lon column of the longitude
 * @param lat column of the latitude
 * @param id column of the id
 * @param delimiter character between columns
 * @param text whether all values are texts, even those that look like numbers
 */
@RecordBuilder
public record CsvColumns(
    Optional<String> lon,
    Optional<String> lat,
    Optional<String> id,
    Optional<Character> delimiter,
    boolean text)
    implements CsvColumnsBuilder.With {

  /** Returns the rules that follow from the header. */
  public static CsvColumns standard() {
    return new CsvColumns(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
  }
}
