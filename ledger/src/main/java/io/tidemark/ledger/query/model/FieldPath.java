// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The way to a value in a payload: a field, a field of the object in it, and so on.
 *
 * @param segments empty only for the item of a list itself, inside of {@link Filter.Any}
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
   * A path as it is written.
   *
   * @throws InvalidQueryException when it is none
   */
  public static FieldPath of(Side side, String dotted) {
    return new FieldPath(side, List.of(dotted.split("\\.", -1)));
  }

  /** The item of a list itself. */
  static FieldPath item() {
    return new FieldPath(Side.SELF, List.of());
  }

  /** The path without its first parts. */
  public FieldPath from(int first) {
    return new FieldPath(side, segments.subList(first, segments.size()));
  }

  /** The first parts of the path. */
  public FieldPath upTo(int end) {
    return new FieldPath(side, segments.subList(0, end));
  }

  /** The path of something inside of what this one leads to. */
  public FieldPath then(FieldPath inner) {
    List<String> all = new ArrayList<>(segments);
    all.addAll(inner.segments);
    return new FieldPath(side, all);
  }

  /** Without the side: {@code address.city}. */
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
