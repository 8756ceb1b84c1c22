// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * Order of rows by one field. JSON has its text, such as {@code age desc}.
 *
 * @param path path of the field, such as {@code age} or {@code left.tier}
 */
public record RowOrder(String path, Direction direction) {

  /** Direction of an order. */
  public enum Direction {
    ASC,
    DESC
  }

  /**
   * Parses a field, with {@code asc} or {@code desc} behind it or nothing.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  @JsonCreator
  public static RowOrder parse(String text) {
    String[] words = text.trim().split("\\s+", -1);
    String direction = words.length > 1 ? words[1].toLowerCase(Locale.ROOT) : "asc";
    if (words.length > 2 || !(direction.equals("asc") || direction.equals("desc"))) {
      throw new IllegalArgumentException(
          "\"order\" takes a field, and asc or desc behind it, unlike \"" + text + "\"");
    }
    return new RowOrder(words[0], Direction.valueOf(direction.toUpperCase(Locale.ROOT)));
  }

  @JsonValue
  @Override
  public String toString() {
    return direction == Direction.ASC ? path : path + " desc";
  }
}
