// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.CellConverter;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.SortKey;
import java.util.ArrayList;
import java.util.List;

/** Factory of cursors of rows. */
public final class CursorFactory {

  private CursorFactory() {}

  /** Returns where a page ended; the row brings its ends along if rows are ordered by them. */
  public static Cursor of(QueryPlan queryPlan, MatchedRow last, long headId) {
    OperandEvaluator operandEvaluator = new OperandEvaluator(queryPlan.binding());
    JoinedRow row =
        new JoinedRow(
            new LazyRow(last.row()),
            last.left().map(LazyRow::new).orElse(null),
            last.right().map(LazyRow::new).orElse(null));
    List<JsonNode> cells = new ArrayList<>();
    for (SortKey sortKey : queryPlan.query().orders()) {
      cells.add(
          CellConverter.json(
              operandEvaluator.cell(sortKey.operand(), row).orElse(Cell.Nothing.NOTHING)));
    }
    return new Cursor(headId, last.row().commitId(), last.row().identity(), cells);
  }
}
