// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import java.util.function.Consumer;

/** Source of the rows of a ledger, read from its files each time. */
public final class LedgerRowSource implements RowSource {

  private final LatestRows rows;
  private final PinnedHead pinnedHead;

  public LedgerRowSource(LatestRows rows, PinnedHead pinnedHead) {
    this.rows = rows;
    this.pinnedHead = pinnedHead;
  }

  @Override
  public void forEach(TypeView type, Window window, Consumer<LazyRow> consumer) {
    if (window.isEmpty()) {
      return;
    }
    if (window.shape() == Shape.STATE) {
      rows.forEach(
          type.id(),
          pinnedHead,
          window.upper(),
          row -> consumer.accept(new LazyRow(type.project(row))));
    } else {
      rows.history(
          type.id(),
          pinnedHead,
          window.lowerExclusive(),
          window.upper(),
          row -> consumer.accept(new LazyRow(type.project(row))));
    }
  }
}
