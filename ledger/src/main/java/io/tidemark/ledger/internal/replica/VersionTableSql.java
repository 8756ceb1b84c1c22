// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.KeyFilter;
import io.tidemark.ledger.internal.duckdb.RowColumns;
import io.tidemark.ledger.internal.duckdb.SqlQuoting;
import io.tidemark.ledger.internal.duckdb.SqlRowSource;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Table of a type, as SQL. Every version is a row, and says with which commit the next version of
 * the same identity came, or that none has come: so the state at any commit is a condition on two
 * numbers, be it the newest commit or not, and needs neither sorting nor grouping. What is current
 * is kept, and so is what was.
 *
 * <p>Rows are found by the hash of their key. A first load is sorted by it, so that groups of rows
 * without it are passed over; an index would be as fast, but take more room than the keys, and as
 * long to make as the rows take to load. Names of columns have a sign that fields can't have.
 */
record VersionTableSql(TypeView type, String table) {

  private static final String HASH = "\"key#\"";
  private static final String UNTIL = "\"until#\"";

  /** No version has come after. */
  private static final String NONE = Long.toString(Long.MAX_VALUE);

  private String keyColumn() {
    return RowColumns.identity(type.id().kind()).get(0);
  }

  private List<String> identity() {
    return RowColumns.identity(type.id().kind());
  }

  /** Makes the table, without rows. */
  String create() {
    return "CREATE TABLE "
        + table
        + " AS SELECT *, hash("
        + keyColumn()
        + ") AS "
        + HASH
        + ", "
        + NONE
        + " AS "
        + UNTIL
        + " FROM "
        + RowColumns.none(type);
  }

  /**
   * Rows as the table has them.
   *
   * @param rows what they are made of: rows of files, no identity twice in one commit
   * @param oneCommit whether they are all of one commit
   */
  String select(String rows, long after, long upTo, boolean oneCommit) {
    String next = "lead(commit_id) OVER (PARTITION BY " + joined() + " ORDER BY commit_id)";
    return "SELECT *, hash("
        + keyColumn()
        + ") AS "
        + HASH
        + ", "
        + (oneCommit ? NONE : "coalesce(" + next + ", " + NONE + ")")
        + " AS "
        + UNTIL
        + " FROM (SELECT * FROM "
        + rows
        + " WHERE commit_id > "
        + after
        + " AND commit_id <= "
        + upTo
        + ")";
  }

  /** Adds rows, those without a version after them first and each part by hash. */
  String insert(String rows) {
    return "INSERT INTO " + table + " " + rows + " ORDER BY " + UNTIL + " < " + NONE + ", " + HASH;
  }

  /**
   * Tells rows that had no version after them of the first that has come.
   *
   * @param fresh a table of versions that are newer than all there are
   * @param hashes those of their keys, when there are few: then most of the table isn't read
   */
  String closeVersions(String fresh, Optional<List<String>> hashes) {
    String same =
        identity().stream().map(c -> "v." + c + " = f." + c).collect(Collectors.joining(" AND "));
    return "UPDATE "
        + table
        + " v SET "
        + UNTIL
        + " = f.first FROM (SELECT "
        + HASH
        + ", "
        + joined()
        + ", min(commit_id) AS first FROM "
        + fresh
        + " GROUP BY ALL) f WHERE v."
        + HASH
        + " = f."
        + HASH
        + " AND "
        + same
        + " AND v."
        + UNTIL
        + " = "
        + NONE
        + hashes.map(few -> " AND v." + HASH + " IN (" + String.join(", ", few) + ")").orElse("");
  }

  /** Returns the hashes of keys in a table of versions. */
  static String hashes(String fresh) {
    return "SELECT DISTINCT " + HASH + " FROM " + fresh;
  }

  /** Returns the rows up to a commit, as the table has them. */
  String upTo(long commit) {
    return table + " WHERE commit_id <= " + commit;
  }

  /** Returns the rows after a commit, as the table has them. */
  String after(long commit) {
    return table + " WHERE commit_id > " + commit;
  }

  /** Returns the rows of a window, for a query. */
  String of(Window window, KeyFilter keyFilter) {
    String conditions = String.join(" AND ", conditions(window, keyFilter, ""));
    return "(SELECT * FROM " + table + " WHERE " + conditions + ")";
  }

  /** Returns the rows of a window as a table and the conditions that they meet. */
  SqlRowSource.FromClause place(Window window, KeyFilter keyFilter) {
    return new SqlRowSource.FromClause(table, conditions(window, keyFilter, "q."));
  }

  /** Returns the conditions; the table has later commits once another query has asked for them. */
  private List<String> conditions(Window window, KeyFilter keyFilter, String row) {
    List<String> conditions = new ArrayList<>();
    if (window.lowerExclusive() > 0) {
      conditions.add(row + "commit_id > " + window.lowerExclusive());
    }
    conditions.add(row + "commit_id <= " + window.upper());
    if (window.shape() == Shape.STATE) {
      conditions.add(row + UNTIL + " > " + window.upper());
    }
    keyFilter.keys().ifPresent(texts -> conditions.add(among(row, texts)));
    return conditions;
  }

  private static String among(String row, List<String> keys) {
    return keys.isEmpty()
        ? "FALSE"
        : keys.stream()
            .map(key -> "hash(" + SqlQuoting.text(key) + ")")
            .collect(Collectors.joining(", ", row + HASH + " IN (", ")"));
  }

  private String joined() {
    return String.join(", ", identity());
  }
}
