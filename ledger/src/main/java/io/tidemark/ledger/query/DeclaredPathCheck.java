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

/** Holds conditions to a record at once, before a ledger is asked. */
final class DeclaredPathCheck {

  private DeclaredPathCheck() {}

  /** Refuses what the record doesn't have; what its ends have is known to the ledger only. */
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
