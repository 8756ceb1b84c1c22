// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Options for reading CSV. Options that are null are detected from the header: longitude and
 * latitude by one of their usual names, the id by {@code id}, and the separator by the most
 * frequent candidate.
 *
 * @param lon the column of the longitude
 * @param lat the column of the latitude
 * @param id the column of the id
 * @param separator between the columns
 * @param typing how values are typed
 */
@RecordBuilder
public record CsvOptions(
    @Nullable String lon,
    @Nullable String lat,
    @Nullable String id,
    @Nullable Character separator,
    Typing typing)
    implements CsvOptionsBuilder.With {

  /** How a value is typed. */
  public enum Typing {
    /** A number, true or false if it looks like one in JSON, else a text. */
    BY_LOOKS,
    /** A text, always. */
    TEXT
  }

  /** Returns options that are all detected from the header. */
  public static CsvOptions standard() {
    return new CsvOptions(null, null, null, null, Typing.BY_LOOKS);
  }

  public CsvOptions withColumns(@Nullable String newLon, @Nullable String newLat) {
    return withLon(newLon).withLat(newLat);
  }

  public CsvOptions separatedBy(@Nullable Character newSeparator) {
    return withSeparator(newSeparator);
  }

  public CsvOptions typed(Typing newTyping) {
    return withTyping(newTyping);
  }
}
