// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.Map;

/** Check of a condition's paths against the declared record, before the ledger is read. */
final class DeclaredPathCheck {

  private DeclaredPathCheck() {}

  /**
   * Refuses paths that the record doesn't have. The fields of its ends are known to the ledger
   * only.
   */
  static void check(TypeSchema type, Filter filter) {
    Binding binding = new Binding(TypeView.of(type, 0), Map.of());
    FilterTrees.leaves(
        filter,
        leaf -> {
          boolean own =
              !(FilterTrees.operand(leaf) instanceof FieldPath path) || path.side() == Side.SELF;
          if (own) {
            binding.checked(leaf);
          }
        });
  }
}
