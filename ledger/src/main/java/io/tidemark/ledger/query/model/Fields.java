// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/**
 * Entry point of conditions: {@code field("age").gt(30).and(left("tier").eq("Gold"))}.
 *
 * <p>Paths are dotted names, such as {@code profile.address.city}. Invalid paths are refused here.
 * Whether the type has the path is checked when the query runs, or when it is built if the type is
 * a Java record.
 */
public final class Fields {

  private Fields() {}

  /** Returns the expression for a field of the row. */
  public static FieldExpression field(String path) {
    return new FieldExpression(FieldPath.of(Side.SELF, path));
  }

  /** Returns the expression for a field of the entity at the left end of a relation. */
  public static FieldExpression left(String path) {
    return new FieldExpression(FieldPath.of(Side.LEFT, path));
  }

  /** Returns the expression for a field of the entity at the right end of a relation. */
  public static FieldExpression right(String path) {
    return new FieldExpression(FieldPath.of(Side.RIGHT, path));
  }

  /** Returns the expression for a metadata field of the row. */
  public static FieldExpression meta(MetaField field) {
    return new FieldExpression(field);
  }

  /**
   * Returns a filter that holds if an item of the list meets the condition, whose paths begin at
   * it.
   */
  public static Filter any(String list, Filter item) {
    return any(FieldPath.of(Side.SELF, list), item);
  }

  /** Returns the expression for the item of a list itself, for lists of single values. */
  public static FieldExpression item() {
    return new FieldExpression(FieldPath.item());
  }

  /** Returns a filter that holds if an item of the list at a parsed path meets the condition. */
  public static Filter any(FieldPath list, Filter item) {
    if (list.side() != Side.SELF) {
      throw new InvalidQueryException(
          "any("
              + list
              + " ...) looks into a list of an end; only a row's own lists can be looked"
              + " into, so query the entities first");
    }
    FilterTrees.leaves(
        item,
        leaf -> {
          boolean plain =
              !(leaf instanceof Filter.Any)
                  && FilterTrees.operand(leaf) instanceof FieldPath path
                  && path.side() == Side.SELF;
          if (!plain) {
            throw new InvalidQueryException(
                "any("
                    + list
                    + " ...) has the condition "
                    + leaf
                    + "; inside of any() conditions"
                    + " are on fields of an item, without another any(), left, right or '@'");
          }
        });
    return new Filter.Any(list, item);
  }

  /** Returns the operand of an order or a group: {@code age}, {@code left.tier} or {@code @key}. */
  public static Operand operand(String text) {
    if (text.startsWith("@")) {
      return MetaField.of(text)
          .orElseThrow(
              () ->
                  new InvalidQueryException(
                      "there is no " + text + "; take @key, @left, @right, @instance or @commit"));
    }
    for (Side side : new Side[] {Side.LEFT, Side.RIGHT}) {
      if (text.startsWith(side.prefix())) {
        return FieldPath.of(side, text.substring(side.prefix().length()));
      }
    }
    return FieldPath.of(Side.SELF, text);
  }
}
