// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.ledger.query.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.query.plan.Window.Versions;
import java.util.List;

/**
 * Makes the rows of a window of a relation that holds every version.
 *
 * <p>The last version of each identity is found in two phases: which commit wrote it, from two
 * narrow columns, and then the rows of these commits. That reads payloads of the rows that count
 * only, and lets a filter reach the file; numbering the versions of each identity would do neither.
 */
public final class StateSql {

  private StateSql() {}

  /** The rows of a window. */
  public static String of(TypeView type, Window window, String everyVersion) {
    return of(type, window, Keys.ANY, everyVersion);
  }

  /** The rows of a window, those with other keys left out before the last versions are found. */
  static String of(TypeView type, Window window, Keys keys, String everyVersion) {
    String within =
        " WHERE commit_id > "
            + window.lowerExclusive()
            + " AND commit_id <= "
            + window.upper()
            + having(type, keys);
    String versions = "(SELECT * FROM " + everyVersion + within + ")";
    if (window.shape() == Shape.STATE) {
      String identity = String.join(", ", RowColumns.identity(type.id().kind()));
      versions =
          "(SELECT * FROM "
              + versions
              + " SEMI JOIN (SELECT "
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
    return ofCurrentSchema(type, window, versions);
  }

  /** The rows of a window, of a relation that has no others and no identity twice. */
  static String ofOneCommit(TypeView type, Window window, String rows) {
    return ofCurrentSchema(type, window, "(SELECT * FROM " + rows + ")");
  }

  private static String having(TypeView type, Keys keys) {
    if (keys.keys().isEmpty()) {
      return "";
    }
    List<String> texts = keys.keys().get();
    String column = RowColumns.identity(type.id().kind()).get(0);
    return texts.isEmpty() ? " AND FALSE" : " AND " + column + " IN (" + SqlText.list(texts) + ")";
  }

  private static String ofCurrentSchema(TypeView type, Window window, String rows) {
    return window.versions() == Versions.ANY
        ? rows
        : "(SELECT * FROM " + rows + " WHERE schema_version_id = " + type.versionId() + ")";
  }
}
