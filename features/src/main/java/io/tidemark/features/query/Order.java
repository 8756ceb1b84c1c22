// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

/**
 * In which order features come. Those that are alike in it come by id, then by collection; states
 * of one feature come one after the other.
 *
 * @param by what counts
 * @param direction from small to large, or the other way round
 */
public record Order(Key by, Direction direction) {

  /** By id, in the order of its characters. */
  public static final Order BY_ID = new Order(new ById(), Direction.ASCENDING);

  /** By the number of the row, which every change makes a new one; about the order of changes. */
  public static final Order BY_ROW = new Order(new ByRow(), Direction.ASCENDING);

  /** By the time of the last change, the first first. */
  public static final Order BY_UPDATE = by(Field.noted("updatedAt"));

  /** Which way. */
  public enum Direction {
    ASCENDING,
    DESCENDING
  }

  /** What counts. */
  public sealed interface Key {}

  /** The id. */
  public record ById() implements Key {}

  /** The number of the row. */
  public record ByRow() implements Key {}

  /**
   * The value of a field: numbers, then texts by their characters, then false and true, then lists
   * and objects, which are all alike. Where it is null or absent comes last, either way.
   */
  public record ByField(Field field) implements Key {}

  /** By the value of a field. */
  public static Order by(Field field) {
    return new Order(field.equals(Field.ID) ? new ById() : new ByField(field), Direction.ASCENDING);
  }

  /**
   * Reads {@code id}, {@code i} (the row), {@code updatedAt} or a field such as {@code p.name}; a
   * minus before it turns it round.
   */
  public static Order parse(String text) {
    if (text.startsWith("-")) {
      return parse(text.substring(1)).descending();
    }
    return switch (text) {
      case "id" -> BY_ID;
      case "i" -> BY_ROW;
      case "updatedAt" -> BY_UPDATE;
      default -> by(Field.parse(text));
    };
  }

  /** The other way round. */
  public Order descending() {
    return new Order(by, Direction.DESCENDING);
  }

  boolean isDescending() {
    return direction == Direction.DESCENDING;
  }
}
