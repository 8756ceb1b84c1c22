// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;
import java.util.List;

/**
 * Where the rows of types are, as SQL: files, or tables that were filled from them.
 *
 * <p>Numbered for whoever offers another place:
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
   * Something to stand behind FROM: the name of a table, or a query in brackets.
   *
   * @param keyFilter which rows are looked for, as far as that is known
   */
  String relation(TypeView type, Window window, KeyFilter keyFilter);

  /**
   * The same rows to be called {@code q}, with what makes them these as conditions of their own
   * where that can be: DuckDB takes a good part of a small query's time to make one of a query
   * within a query.
   */
  default FromClause fromClause(TypeView type, Window window, KeyFilter keyFilter) {
    return new FromClause(relation(type, window, keyFilter), List.of());
  }

  /**
   * Something to stand behind FROM, and what has to be true of a row of it.
   *
   * @param conditions on columns of {@code q}
   */
  record FromClause(String from, List<String> conditions) {

    public FromClause {
      conditions = List.copyOf(conditions);
    }
  }

  /** Whether a statement on it is planned so fast that doing it twice doesn't matter. */
  default boolean isCheapToPlan() {
    return true;
  }

  /** Whether something that was handed out is gone by now, so that asking again is of use. */
  default boolean isStale() {
    return false;
  }
}
