// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import static io.tidemark.ledger.internal.plan.PathTypeResolver.NOWHERE;

import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.Any;
import io.tidemark.ledger.query.model.Filter.Compare;
import io.tidemark.ledger.query.model.Filter.In;
import io.tidemark.ledger.query.model.Filter.IsNull;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.FieldType;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import java.util.Map;
import java.util.Optional;

/**
 * Resolver of what operands lead to in the types of a query, which refuses those that lead nowhere.
 *
 * <p>A field that a type doesn't have is null in each of its rows. To ask whether it is null is
 * answered; any other use of it is taken for a mistake.
 *
 * @param self the type that is queried
 * @param ends the types at the ends of a relation, as far as the ledger has them
 */
public record Binding(TypeView self, Map<Side, TypeView> ends) {

  public Binding {
    ends = Map.copyOf(ends);
  }

  /** Returns the column that has the value of an operand. */
  public Column column(Operand operand) {
    if (operand instanceof MetaField meta) {
      return new Column.Meta(Side.SELF, checked(meta));
    }
    FieldPath path = (FieldPath) operand;
    Optional<TypeView> type = type(path.side());
    if (type.isEmpty() || path.segments().size() != 1) {
      return new Column.Json(path.side(), path.segments());
    }
    String name = path.segments().get(0);
    if (type.get().schema().instanceKeyField().filter(name::equals).isPresent()) {
      return new Column.Meta(path.side(), MetaField.INSTANCE);
    }
    Scalar scalar = type.get().typed().get(name);
    if (scalar == null) {
      return new Column.Json(path.side(), path.segments());
    }
    boolean key =
        type.get().schema().identity() instanceof KeyField field && field.name().equals(name);
    return key && scalar == Scalar.STRING
        ? new Column.Meta(path.side(), MetaField.KEY)
        : new Column.Typed(path.side(), name, scalar);
  }

  private Optional<TypeView> type(Side side) {
    return side == Side.SELF ? Optional.of(self) : Optional.ofNullable(ends.get(side));
  }

  private MetaField checked(MetaField meta) {
    boolean ofEntities = meta == MetaField.KEY;
    boolean ofRelations = !ofEntities && meta != MetaField.COMMIT;
    if (self.id().kind() == TypeKind.ENTITY ? ofRelations : ofEntities) {
      throw new InvalidQueryException(
          self.id()
              + " has no "
              + meta
              + "; entities have @key, relations @left, @right and @instance, both @commit");
    }
    return meta;
  }

  /**
   * Returns the same filter with moments in the form that is stored.
   *
   * @throws InvalidQueryException when it looks at what isn't there, or can't be compared
   */
  public Filter checked(Filter filter) {
    return FilterTrees.mapLeaves(filter, this::checkedLeaf);
  }

  private Filter checkedLeaf(Filter leaf) {
    Operand operand = FilterTrees.operand(leaf);
    if (operand instanceof MetaField meta) {
      checked(meta);
      return leaf;
    }
    FieldPath path = (FieldPath) operand;
    FieldType type = typeOf(path);
    if (leaf instanceof Any any) {
      FieldType item = itemType(path, type);
      return new Any(
          path, FilterTrees.mapLeaves(any.item(), inner -> checkedItem(any, item, inner)));
    }
    if (type == NOWHERE && !(leaf instanceof IsNull)) {
      throw unknown(path);
    }
    return withMoments(leaf, type);
  }

  private Filter checkedItem(Any any, FieldType item, Filter leaf) {
    FieldPath path = (FieldPath) FilterTrees.operand(leaf);
    FieldType type = PathTypeResolver.inside(item, path.segments());
    if (type == NOWHERE && !(leaf instanceof IsNull)) {
      throw new InvalidQueryException(
          "the items of "
              + any.list()
              + " have no field "
              + path
              + " ("
              + leaf
              + "); "
              + PathTypeResolver.hint(item, path.segments()));
    }
    return withMoments(leaf, type);
  }

  private static Filter withMoments(Filter leaf, FieldType type) {
    if (type.notNull() != Scalar.INSTANT) {
      return leaf;
    }
    if (leaf instanceof Compare compare) {
      Literal value = InstantLiterals.normalize(compare.operand(), compare.value());
      return new Compare(compare.operand(), compare.comparison(), value);
    }
    return leaf instanceof In in
        ? new In(
            in.operand(),
            in.values().stream()
                .map(value -> InstantLiterals.normalize(in.operand(), value))
                .toList())
        : leaf;
  }

  /**
   * Makes sure that rows can be ordered or grouped by an operand.
   *
   * @throws InvalidQueryException when it isn't there, or is a list or an object
   */
  public void checkValue(Operand operand) {
    if (operand instanceof MetaField meta) {
      checked(meta);
      return;
    }
    FieldPath path = (FieldPath) operand;
    FieldType type = typeOf(path).notNull();
    if (type == NOWHERE) {
      throw unknown(path);
    }
    if (!(type instanceof Scalar) && !(type instanceof Foreign)) {
      throw new InvalidQueryException(
          path
              + " of "
              + self.id()
              + " is a list or an object, which has no order; name a single value in it");
    }
  }

  /** Makes sure that an operand is a list, or may be one. */
  public void checkList(FieldPath path) {
    itemType(path, typeOf(path));
  }

  private FieldType itemType(FieldPath path, FieldType type) {
    if (type == NOWHERE) {
      throw unknown(path);
    }
    if (type.notNull() instanceof ListOf list) {
      return list.item();
    }
    if (type.notNull() instanceof Foreign) {
      return Foreign.any();
    }
    throw new InvalidQueryException(path + " of " + self.id() + " is no list; leave any() out");
  }

  private FieldType typeOf(FieldPath path) {
    Optional<TypeView> type = type(path.side());
    if (type.isEmpty()) {
      if (self.id().kind() == TypeKind.ENTITY) {
        throw new InvalidQueryException(
            path + " looks at an end, but " + self.id() + " is no relation; leave the side out");
      }
      return Foreign.any(); // the ledger doesn't have the type, so there is nothing to be held to
    }
    if (type.get().isAbsent()) {
      return Foreign.any();
    }
    return PathTypeResolver.of(type.get().schema(), path.segments());
  }

  private InvalidQueryException unknown(FieldPath path) {
    TypeView type = type(path.side()).orElse(self);
    return new InvalidQueryException(
        type.id()
            + " has no "
            + path.dotted()
            + "; "
            + PathTypeResolver.hint(type.schema(), path.segments()));
  }
}
