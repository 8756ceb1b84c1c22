// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;
import java.util.function.Consumer;

/** Source of rows. */
public interface RowSource {

  /**
   * Passes on the rows of a window: every version, or of each identity the last. Rows of other
   * schema versions are shown in that of the type. They come in any order.
   */
  void forEach(TypeView type, Window window, Consumer<LazyRow> rows);
}
