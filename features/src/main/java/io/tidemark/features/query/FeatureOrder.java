// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

/**
 * The order of features. Ties are broken by id, then by collection; states of one feature come one
 * after the other.
 *
 * @param by the sort key
 * @param direction ascending or descending
 */
public record FeatureOrder(Key by, Direction direction) {

  /** By id, in the order of its characters. */
  public static final FeatureOrder BY_ID = new FeatureOrder(new ById(), Direction.ASCENDING);

  /** By the number of the row, which every change makes a new one; about the order of changes. */
  public static final FeatureOrder BY_ROW = new FeatureOrder(new ByRow(), Direction.ASCENDING);

  /** By the time of the last change, oldest first. */
  public static final FeatureOrder BY_UPDATE = by(FeatureField.metadata("updatedAt"));

  /** Direction of an order. */
  public enum Direction {
    ASCENDING,
    DESCENDING
  }

  /** Sort key of an order. */
  public sealed interface Key {}

  /** The id. */
  public record ById() implements Key {}

  /** The number of the row. */
  public record ByRow() implements Key {}

  /**
   * The value of a field: numbers, then texts by their characters, then false and true, then lists
   * and objects, which are all alike. Where it is null or absent comes last, either way.
   */
  public record ByField(FeatureField field) implements Key {}

  /** Returns the order by the value of a field. */
  public static FeatureOrder by(FeatureField featureField) {
    return new FeatureOrder(
        featureField.equals(FeatureField.ID) ? new ById() : new ByField(featureField),
        Direction.ASCENDING);
  }

  /**
   * Reads {@code id}, {@code i} (the row), {@code updatedAt} or a field such as {@code p.name}; a
   * minus before it turns it round.
   */
  public static FeatureOrder parse(String text) {
    if (text.startsWith("-")) {
      return parse(text.substring(1)).descending();
    }
    return switch (text) {
      case "id" -> BY_ID;
      case "i" -> BY_ROW;
      case "updatedAt" -> BY_UPDATE;
      default -> by(FeatureField.parse(text));
    };
  }

  /** Returns the reverse order. */
  public FeatureOrder descending() {
    return new FeatureOrder(by, Direction.DESCENDING);
  }

  boolean isDescending() {
    return direction == Direction.DESCENDING;
  }
}
