// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.SortKey;
import io.tidemark.ledger.query.model.SortKey.Direction;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.Identity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Order of a plan's rows. */
final class RowOrdering {

  private final List<SortKey> orders;
  private final boolean byCommit;
  private final OperandEvaluator operandEvaluator;

  RowOrdering(QueryPlan queryPlan, OperandEvaluator operandEvaluator) {
    this.orders = queryPlan.query().orders();
    this.byCommit = queryPlan.window().shape() == Shape.HISTORY;
    this.operandEvaluator = operandEvaluator;
  }

  /** Values of a row by which it is ordered. */
  record SortValues(List<Cell> cells, long commitId, Identity identity) {}

  SortValues sortValues(JoinedRow row) {
    List<Cell> cells = new ArrayList<>();
    for (SortKey sortKey : orders) {
      cells.add(operandEvaluator.cell(sortKey.operand(), row).orElse(Cell.Nothing.NOTHING));
    }
    return new SortValues(cells, row.self().row().commitId(), row.self().row().identity());
  }

  /** Returns where the page before ended. */
  static SortValues sortValues(QueryPlan queryPlan, Cursor cursor) {
    return new SortValues(queryPlan.cells(cursor), cursor.commitId(), cursor.identity());
  }

  Comparator<SortValues> comparator() {
    return (one, other) -> {
      for (int i = 0; i < orders.size(); i++) {
        int compared = compare(one.cells.get(i), other.cells.get(i), orders.get(i).direction());
        if (compared != 0) {
          return compared;
        }
      }
      int commits = byCommit ? Long.compare(one.commitId, other.commitId) : 0;
      return commits != 0 ? commits : one.identity.compareTo(other.identity);
    };
  }

  /**
   * Compares two values in a direction; a value that has no place in the order is last either way.
   */
  static int compare(Cell one, Cell other, Direction direction) {
    if (!one.isOrdered() || !other.isOrdered()) {
      return Boolean.compare(other.isOrdered(), one.isOrdered());
    }
    int compared = Cell.order(one, other);
    return direction == Direction.ASCENDING ? compared : -compared;
  }
}
