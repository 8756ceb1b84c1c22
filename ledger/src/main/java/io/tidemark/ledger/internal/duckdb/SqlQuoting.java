// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Quoting of text in SQL. All text from outside gets into a statement here, and only here. */
public final class SqlQuoting {

  private SqlQuoting() {}

  /**
   * Returns a text value. A zero character would end the statement, so the text is concatenated
   * around it.
   */
  public static String text(String value) {
    if (value.indexOf('\0') >= 0) {
      return List.of(value.split("\0", -1)).stream()
          .map(SqlQuoting::text)
          .collect(Collectors.joining(" || chr(0) || ", "(", ")"));
    }
    return "'" + value.replace("'", "''") + "'";
  }

  /** Returns the name of a column. */
  public static String name(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Returns a path into JSON; its parts have letters, digits and '_' only. */
  public static String path(List<String> segments) {
    return segments.stream().map(s -> ".\"" + s + '"').collect(Collectors.joining("", "'$", "'"));
  }

  /** Returns a path to the items of a list. */
  static String items(List<String> segments) {
    String path = path(segments);
    return path.substring(0, path.length() - 1) + "[*]'";
  }

  /** Returns a list of text values. */
  public static String list(Collection<String> values) {
    return values.stream().map(SqlQuoting::text).collect(Collectors.joining(", "));
  }

  /** Returns a double as Java writes it, which DuckDB reads as the very same. */
  static String real(double value) {
    return "CAST('" + value + "' AS DOUBLE)";
  }
}
