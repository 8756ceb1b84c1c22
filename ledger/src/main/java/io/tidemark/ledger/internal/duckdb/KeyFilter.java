// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.TypeKind;
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
 */
public record KeyFilter(Optional<List<String>> keys) {

  /** Nothing is known. */
  public static final KeyFilter ANY = new KeyFilter(Optional.empty());

  public KeyFilter {
    keys = keys.map(List::copyOf);
  }

  boolean areKnown() {
    return keys.isPresent();
  }

  /** What a plan's filter says of the rows that it finds. */
  static KeyFilter of(QueryPlan queryPlan) {
    return of(queryPlan.query().filter(), queryPlan.binding());
  }

  private static KeyFilter of(Filter filter, Binding binding) {
    if (filter instanceof Filter.And and) {
      return and.parts().stream()
          .map(part -> of(part, binding))
          .filter(keyFilter -> keyFilter.keys().isPresent())
          .findFirst() // each says something that is true; one of them will do
          .orElse(ANY);
    }
    if (filter instanceof Filter.Compare compare && compare.comparison() == Comparison.EQ) {
      return of(compare.operand(), List.of(compare.value()), binding);
    }
    return filter instanceof Filter.In in ? of(in.operand(), in.values(), binding) : ANY;
  }

  /** Values that are no text equal no key, so they needn't be looked for. */
  private static KeyFilter of(Operand operand, List<Literal> values, Binding binding) {
    boolean entity = binding.self().id().kind() == TypeKind.ENTITY;
    MetaField key = entity ? MetaField.KEY : MetaField.LEFT;
    if (!binding.column(operand).equals(new Column.Meta(Side.SELF, key))) {
      return ANY;
    }
    TreeSet<String> texts = new TreeSet<>();
    for (Literal value : values) {
      if (value instanceof Literal.Text text) {
        texts.add(text.value());
      }
    }
    return new KeyFilter(Optional.of(List.copyOf(texts)));
  }
}
