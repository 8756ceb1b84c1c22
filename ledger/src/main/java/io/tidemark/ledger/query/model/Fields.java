// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/**
 * Where conditions begin: {@code field("age").gt(30).and(left("tier").eq("Gold"))}.
 *
 * <p>Paths are dotted names, such as {@code profile.address.city}. What isn't one is refused here;
 * whether the type has it is found out when the query is asked, or when it is built if the type is
 * a Java record.
 */
public final class Fields {

  private Fields() {}

  /** A field of the row. */
  public static FieldExpression field(String path) {
    return new FieldExpression(FieldPath.of(Side.SELF, path));
  }

  /** A field of the entity at the left end of a relation. */
  public static FieldExpression left(String path) {
    return new FieldExpression(FieldPath.of(Side.LEFT, path));
  }

  /** A field of the entity at the right end of a relation. */
  public static FieldExpression right(String path) {
    return new FieldExpression(FieldPath.of(Side.RIGHT, path));
  }

  /** What a row has beside its fields. */
  public static FieldExpression meta(MetaField field) {
    return new FieldExpression(field);
  }

  /** Holds if the condition, whose paths begin at an item, does for an item of the list. */
  public static Filter any(String list, Filter item) {
    return any(FieldPath.of(Side.SELF, list), item);
  }

  /** The item of a list itself, for lists of single values. */
  public static FieldExpression item() {
    return new FieldExpression(FieldPath.item());
  }

  /** The same of a path that was taken apart already. */
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

  /** The operand of an order or a group: {@code age}, {@code left.tier} or {@code @key}. */
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
