// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import java.util.function.Consumer;

/** The rows of a ledger, read from its files each time. */
public final class LedgerRows implements RowSource {

  private final LatestRows rows;
  private final Base base;

  public LedgerRows(LatestRows rows, Base base) {
    this.rows = rows;
    this.base = base;
  }

  @Override
  public void forEach(TypeView type, Window window, Consumer<View> consumer) {
    if (window.isEmpty()) {
      return;
    }
    if (window.shape() == Shape.STATE) {
      rows.forEach(
          type.id(), base, window.upper(), row -> consumer.accept(new View(type.shown(row))));
    } else {
      rows.history(
          type.id(),
          base,
          window.lowerExclusive(),
          window.upper(),
          row -> consumer.accept(new View(type.shown(row))));
    }
  }
}
