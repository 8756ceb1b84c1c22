// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import java.util.Optional;

/**
 * SQL of the rows of a window, from a relation that holds every version.
 *
 * <p>The last version of each identity is found in two phases: which commit wrote it, from two
 * narrow columns, and then the rows of these commits. That reads the payloads of the resulting rows
 * only, and lets a filter reach the file; numbering the versions of each identity would do neither.
 */
public final class StateSql {

  private StateSql() {}

  /**
   * Returns the rows of a window; rows with other keys are left out before the last versions are
   * found.
   */
  static String of(TypeView type, Window window, KeyFilter keyFilter, String everyVersion) {
    return window.shape() == Shape.STATE
        ? lastVersions(type, window, keyFilter, everyVersion)
        : "(SELECT * FROM " + everyVersion + within(type, window, keyFilter) + ")";
  }

  /** Returns the last version of each identity. */
  static String lastVersions(
      TypeView type, Window window, KeyFilter keyFilter, String everyVersion) {
    String within = within(type, window, keyFilter);
    String identity = String.join(", ", RowColumns.identity(type.id().kind()));
    return "(SELECT * FROM (SELECT * FROM "
        + everyVersion
        + within
        + ") SEMI JOIN (SELECT "
        + identity
        + ", max(commit_id) AS commit_id FROM "
        + everyVersion
        + within
        + " GROUP BY "
        + identity
        + ") USING ("
        + identity
        + ", commit_id))";
  }

  /** Returns the condition that a version is in a window and may have one of the keys. */
  static String within(TypeView type, Window window, KeyFilter keyFilter) {
    return " WHERE commit_id > "
        + window.lowerExclusive()
        + " AND commit_id <= "
        + window.upper()
        + among(type, keyFilter).map(condition -> " AND " + condition).orElse("");
  }

  /** Returns the condition that a row may have one of the keys, or empty if any key may occur. */
  static Optional<String> among(TypeView type, KeyFilter keyFilter) {
    String column = RowColumns.identity(type.id().kind()).get(0);
    return keyFilter
        .keys()
        .map(texts -> texts.isEmpty() ? "FALSE" : column + " IN (" + SqlQuoting.list(texts) + ")");
  }
}
