// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import java.util.List;

/**
 * SQL of a value in a payload, in each of the kinds that it may have; null where it is of another.
 *
 * @param source the payload, or an item of a list in it
 */
record JsonValueSql(String source, List<String> path) {

  private static final String WHOLES = "('BIGINT', 'UBIGINT')";
  private static final String NUMBERS = "('BIGINT', 'UBIGINT', 'DOUBLE')";

  /**
   * Returns the SQL of the kind of the value: null when it is missing, and the text NULL when it is
   * null.
   */
  String kind() {
    return "json_type(" + source + ", " + SqlQuoting.path(path) + ")";
  }

  private String raw() {
    return "json_extract_string(" + source + ", " + SqlQuoting.path(path) + ")";
  }

  private String when(String condition, String value) {
    return "(CASE WHEN " + kind() + condition + " THEN " + value + " END)";
  }

  String text() {
    return when(" = 'VARCHAR'", raw());
  }

  String bool() {
    return when(" = 'BOOLEAN'", raw() + " = 'true'");
  }

  /** Returns the SQL of a whole number of 64 bits, with or without a sign. */
  String exact() {
    return when(" IN " + WHOLES, "CAST(" + raw() + " AS HUGEINT)");
  }

  /** Returns the SQL of any other number. */
  String real() {
    return when(" = 'DOUBLE'", "CAST(" + raw() + " AS DOUBLE)");
  }

  /** Returns the SQL that tells whether it is such a number. */
  String isReal() {
    return "(" + kind() + " = 'DOUBLE')";
  }

  /** Returns the SQL of any number, as near as a double comes. */
  String number() {
    return when(" IN " + NUMBERS, "CAST(" + raw() + " AS DOUBLE)");
  }

  String numberText() {
    return when(" IN " + NUMBERS, raw());
  }

  /** Returns the SQL of any number without its fraction, exactly, unless it is too large. */
  String whole() {
    return "(CASE WHEN "
        + kind()
        + " IN "
        + WHOLES
        + " THEN CAST("
        + raw()
        + " AS HUGEINT) WHEN "
        + kind()
        + " = 'DOUBLE' THEN TRY_CAST(CAST("
        + raw()
        + " AS DOUBLE) AS HUGEINT) END)";
  }

  /**
   * Returns the SQL of its rank: booleans before numbers before text; null if it can't be ordered.
   */
  String rank() {
    return "(CASE WHEN "
        + kind()
        + " = 'BOOLEAN' THEN 0 WHEN "
        + kind()
        + " IN "
        + NUMBERS
        + " THEN 1 WHEN "
        + kind()
        + " = 'VARCHAR' THEN 2 END)";
  }

  /** Returns the SQL of the sort key of booleans and numbers. */
  String size() {
    return "(CASE WHEN "
        + kind()
        + " = 'BOOLEAN' THEN CAST("
        + bool()
        + " AS DOUBLE) ELSE "
        + number()
        + " END)";
  }

  String isMissingOrNull() {
    return "(COALESCE(" + kind() + ", 'NULL') = 'NULL')";
  }

  /** Returns the SQL of the number of its items; null if it is no list. */
  String length() {
    return when(" = 'ARRAY'", "json_array_length(" + source + ", " + SqlQuoting.path(path) + ")");
  }
}
