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
 * Filter by the keys that the rows of an answer can have. All versions of a row have the same key,
 * so rows may be left out by it before the last version of each is determined. Other conditions are
 * evaluated afterwards, and this one once more.
 *
 * @param keys the possible keys of an entity, or of a relation's left end; empty when the filter
 *     doesn't restrict them
 */
public record KeyFilter(Optional<List<String>> keys) {

  /** Filter that any key passes. */
  public static final KeyFilter ANY = new KeyFilter(Optional.empty());

  public KeyFilter {
    keys = keys.map(List::copyOf);
  }

  boolean areKnown() {
    return keys.isPresent();
  }

  /** Returns the filter that a plan's conditions imply. */
  static KeyFilter of(QueryPlan queryPlan) {
    return of(queryPlan.query().filter(), queryPlan.binding());
  }

  private static KeyFilter of(Filter filter, Binding binding) {
    if (filter instanceof Filter.And and) {
      return and.parts().stream()
          .map(part -> of(part, binding))
          .filter(keyFilter -> keyFilter.keys().isPresent())
          .findFirst() // each of them holds, so one of them is enough
          .orElse(ANY);
    }
    if (filter instanceof Filter.Compare compare && compare.comparison() == Comparison.EQ) {
      return of(compare.operand(), List.of(compare.value()), binding);
    }
    return filter instanceof Filter.In in ? of(in.operand(), in.values(), binding) : ANY;
  }

  /**
   * Returns the filter by these values. Values that are no text equal no key, so they are left out.
   */
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
