// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.ledger.query.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;

/**
 * Where the rows of types are, as SQL: files, or tables that were filled from them.
 *
 * <p>Numbered for whoever offers another place:
 *
 * <ol>
 *   <li>A relation has the columns of {@link RowColumns}, and may have others.
 *   <li>It holds exactly the rows of the window: of a state the last version of each identity up to
 *       its upper end, of a history every version. Rows of other schema versions are left out when
 *       the window says so, after the last version was found.
 *   <li>No identity occurs twice in one commit.
 *   <li>Rows with other keys than those named may be left out, or not.
 * </ol>
 */
public interface Relations {

  /**
   * Something to stand behind FROM: the name of a table, or a query in brackets.
   *
   * @param keys which rows are looked for, as far as that is known
   */
  String of(TypeView type, Window window, Keys keys);

  /** Whether something that was handed out is gone by now, so that asking again is of use. */
  default boolean isOutdated() {
    return false;
  }
}
