// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Text in SQL. Everything that somebody else wrote gets into a statement here, and only here. */
public final class SqlQuoting {

  private SqlQuoting() {}

  /** A text value. A zero character would end the statement, so it is put together. */
  public static String text(String value) {
    if (value.indexOf('\0') >= 0) {
      return List.of(value.split("\0", -1)).stream()
          .map(SqlQuoting::text)
          .collect(Collectors.joining(" || chr(0) || ", "(", ")"));
    }
    return "'" + value.replace("'", "''") + "'";
  }

  /** The name of a column. */
  public static String name(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A path into JSON; its parts have letters, digits and '_' only. */
  public static String path(List<String> segments) {
    return segments.stream().map(s -> ".\"" + s + '"').collect(Collectors.joining("", "'$", "'"));
  }

  /** A path to the items of a list. */
  static String items(List<String> segments) {
    String path = path(segments);
    return path.substring(0, path.length() - 1) + "[*]'";
  }

  /** A list of text values. */
  public static String list(Collection<String> values) {
    return values.stream().map(SqlQuoting::text).collect(Collectors.joining(", "));
  }

  /** A double; Java writes it and DuckDB reads the very same. */
  static String real(double value) {
    return "CAST('" + value + "' AS DOUBLE)";
  }
}
