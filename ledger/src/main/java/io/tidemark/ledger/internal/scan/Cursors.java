// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Cells;
import io.tidemark.ledger.internal.plan.Found;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Order;
import java.util.ArrayList;
import java.util.List;

/** Makes cursors of rows. */
public final class Cursors {

  private Cursors() {}

  /** Where a page ended; the row brings its ends along if they are what rows are ordered by. */
  public static Cursor of(Plan plan, Found last, long headId) {
    Values values = new Values(plan.binding());
    Joined row =
        new Joined(
            new View(last.row()),
            last.left().map(View::new).orElse(null),
            last.right().map(View::new).orElse(null));
    List<JsonNode> cells = new ArrayList<>();
    for (Order order : plan.query().orders()) {
      cells.add(Cells.json(values.cell(order.operand(), row).orElse(Cell.Nothing.NOTHING)));
    }
    return new Cursor(headId, last.row().commitId(), last.row().identity(), cells);
  }
}
