// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;
import java.util.List;

/**
 * Source of the rows of types, as SQL: files, or tables that were filled from them.
 *
 * <p>An implementation has to keep these rules:
 *
 * <ol>
 *   <li>A relation has the columns of {@link RowColumns}, and may have others.
 *   <li>It holds exactly the rows of the window: of a state the last version of each identity up to
 *       its upper end, of a history every version. Rows of other schema versions are shown in that
 *       of the type.
 *   <li>No identity occurs twice in one commit.
 *   <li>Rows with other keys than those named may be left out, or not.
 * </ol>
 */
public interface SqlRowSource {

  /**
   * Returns a relation for a FROM clause: the name of a table, or a query in parentheses.
   *
   * @param keyFilter the keys of the rows to find, as far as they are known
   */
  String relation(TypeView type, Window window, KeyFilter keyFilter);

  /**
   * Returns a FROM clause of the rows as {@code q}, with the conditions that select them apart
   * where possible: DuckDB takes a good part of a small query's time to flatten a nested query.
   */
  default FromClause fromClause(TypeView type, Window window, KeyFilter keyFilter) {
    return new FromClause(relation(type, window, keyFilter), List.of());
  }

  /**
   * FROM clause with the conditions on its rows.
   *
   * @param conditions on columns of {@code q}
   */
  record FromClause(String from, List<String> conditions) {

    public FromClause {
      conditions = List.copyOf(conditions);
    }
  }

  /** Returns whether planning a statement on it is fast enough to do twice. */
  default boolean isCheapToPlan() {
    return true;
  }

  /** Returns whether a file of a returned relation is gone by now, so that a retry is useful. */
  default boolean isStale() {
    return false;
  }
}
