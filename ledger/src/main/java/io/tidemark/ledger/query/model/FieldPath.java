// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Path to a value in a payload: a field, a field of the object in it, and so on.
 *
 * @param segments names of the fields; empty only for the item of a list, inside of {@link
 *     Filter.Any}
 */
public record FieldPath(Side side, List<String> segments) implements Operand {

  private static final Pattern SEGMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  public FieldPath {
    segments = List.copyOf(segments);
    for (String segment : segments) {
      if (!SEGMENT.matcher(segment).matches()) {
        throw new InvalidQueryException(
            "the path \""
                + String.join(".", segments)
                + "\" has the part \""
                + segment
                + "\"; a path is made of names with letters A to Z, digits and '_', no digit first,"
                + " and dots between them");
      }
    }
  }

  /**
   * Parses a dotted path.
   *
   * @throws InvalidQueryException when it is invalid
   */
  public static FieldPath of(Side side, String dotted) {
    return new FieldPath(side, List.of(dotted.split("\\.", -1)));
  }

  /** Returns the path of the item of a list itself. */
  static FieldPath item() {
    return new FieldPath(Side.SELF, List.of());
  }

  /** Returns the path without its first parts. */
  public FieldPath from(int first) {
    return new FieldPath(side, segments.subList(first, segments.size()));
  }

  /** Returns the first parts of the path. */
  public FieldPath upTo(int end) {
    return new FieldPath(side, segments.subList(0, end));
  }

  /** Returns the path of a value inside of the value of this one. */
  public FieldPath then(FieldPath inner) {
    List<String> all = new ArrayList<>(segments);
    all.addAll(inner.segments);
    return new FieldPath(side, all);
  }

  /** Returns the path without the side: {@code address.city}. */
  public String dotted() {
    return String.join(".", segments);
  }

  @Override
  public String toString() {
    boolean word = side == Side.SELF && !segments.isEmpty() && Keywords.contains(segments.get(0));
    return word
        ? "`" + segments.get(0) + "`" + dotted().substring(segments.get(0).length())
        : side.prefix() + dotted();
  }
}
