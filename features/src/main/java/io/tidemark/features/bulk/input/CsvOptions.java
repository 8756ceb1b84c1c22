// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import org.jspecify.annotations.Nullable;

/**
 * How CSV is read. What is null is found out from the header: longitude and latitude by one of
 * their usual names, the id by {@code id}, and what separates the columns by what there is most of.
 *
 * @param lon the column of the longitude
 * @param lat the column of the latitude
 * @param id the column of the id
 * @param separator between the columns
 * @param typing what values are taken for
 */
public record CsvOptions(
    @Nullable String lon,
    @Nullable String lat,
    @Nullable String id,
    @Nullable Character separator,
    Typing typing) {

  /** What a value is taken for. */
  public enum Typing {
    /** A number, true or false if it looks like one in JSON, else a text. */
    BY_LOOKS,
    /** A text, always. */
    TEXT
  }

  /** All found out. */
  public static CsvOptions standard() {
    return new CsvOptions(null, null, null, null, Typing.BY_LOOKS);
  }

  public CsvOptions withColumns(@Nullable String newLon, @Nullable String newLat) {
    return new CsvOptions(newLon, newLat, id, separator, typing);
  }

  public CsvOptions withId(@Nullable String newId) {
    return new CsvOptions(lon, lat, newId, separator, typing);
  }

  public CsvOptions separatedBy(@Nullable Character newSeparator) {
    return new CsvOptions(lon, lat, id, newSeparator, typing);
  }

  public CsvOptions typed(Typing newTyping) {
    return new CsvOptions(lon, lat, id, separator, newTyping);
  }
}
