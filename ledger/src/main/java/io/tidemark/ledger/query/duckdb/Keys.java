// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.Plan;
import io.tidemark.ledger.query.plan.TypeView;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Which keys the rows of an answer can have at most, by its filter. All versions of a row have the
 * same key, so rows may be left out by it before the last version of each is looked for; other
 * conditions are judged afterwards, and this one once more.
 *
 * @param keys what the key of an entity, or that of a relation's left end, is one of; empty when
 *     the filter doesn't say
 * @param fields what the key field of an entity is one of, as text. Other programs can write rows
 *     whose key isn't the value of the field, so this is of use only to who knows that there are
 *     none
 */
public record Keys(Optional<List<String>> keys, Optional<List<String>> fields) {

  /** Nothing is known. */
  public static final Keys ANY = new Keys(Optional.empty(), Optional.empty());

  public Keys {
    keys = keys.map(List::copyOf);
    fields = fields.map(List::copyOf);
  }

  /** What a plan's filter says of the rows that it finds. */
  static Keys of(Plan plan) {
    return of(plan.query().filter(), plan.binding().self());
  }

  private static Keys of(Filter filter, TypeView type) {
    if (filter instanceof Filter.And and) {
      return and.parts().stream().map(part -> of(part, type)).reduce(ANY, Keys::and);
    }
    if (filter instanceof Filter.Compare compare && compare.comparison() == Comparison.EQ) {
      return of(compare.operand(), List.of(compare.value()), type);
    }
    return filter instanceof Filter.In in ? of(in.operand(), in.values(), type) : ANY;
  }

  /** Values that aren't of the key's type equal no key, so they needn't be looked for. */
  private static Keys of(Operand operand, List<Literal> values, TypeView type) {
    TreeSet<String> texts = new TreeSet<>();
    if (operand == (type.id().kind() == Kind.ENTITY ? MetaField.KEY : MetaField.LEFT)) {
      values.forEach(value -> text(value).ifPresent(texts::add));
      return new Keys(Optional.of(List.copyOf(texts)), Optional.empty());
    }
    if (operand instanceof FieldPath path && isKeyField(path, type)) {
      values.forEach(value -> text(value).or(() -> whole(value)).ifPresent(texts::add));
      return new Keys(Optional.empty(), Optional.of(List.copyOf(texts)));
    }
    return ANY;
  }

  private static boolean isKeyField(FieldPath path, TypeView type) {
    return path.side() == Side.SELF
        && type.schema().identity() instanceof KeyField key
        && path.segments().equals(List.of(key.name()))
        && type.typed().containsKey(key.name());
  }

  private static Optional<String> text(Literal value) {
    return value instanceof Literal.Text text ? Optional.of(text.value()) : Optional.empty();
  }

  private static Optional<String> whole(Literal value) {
    if (!(value instanceof Literal.Num num)) {
      return Optional.empty();
    }
    try {
      return Optional.of(BigDecimal.valueOf(num.value().longValueExact()).toPlainString());
    } catch (ArithmeticException e) {
      return Optional.empty(); // no key is that number
    }
  }

  /** Both say something that is true; one of them will do. */
  private Keys and(Keys other) {
    return new Keys(keys.or(other::keys), fields.or(other::fields));
  }
}
