// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import java.util.List;

/**
 * A value in a payload as SQL, in each of the kinds that it may have; null where it is of another.
 *
 * @param source the payload, or an item of a list in it
 */
record JsonValueSql(String source, List<String> path) {

  private static final String WHOLES = "('BIGINT', 'UBIGINT')";
  private static final String NUMBERS = "('BIGINT', 'UBIGINT', 'DOUBLE')";

  /** What kind of value it is; null when it isn't there, and the text NULL when it is null. */
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

  /** A whole number of 64 bits, with or without a sign. */
  String exact() {
    return when(" IN " + WHOLES, "CAST(" + raw() + " AS HUGEINT)");
  }

  /** Any other number. */
  String real() {
    return when(" = 'DOUBLE'", "CAST(" + raw() + " AS DOUBLE)");
  }

  /** Whether it is such a number. */
  String isReal() {
    return "(" + kind() + " = 'DOUBLE')";
  }

  /** Any number, as near as a double comes. */
  String number() {
    return when(" IN " + NUMBERS, "CAST(" + raw() + " AS DOUBLE)");
  }

  String numberText() {
    return when(" IN " + NUMBERS, raw());
  }

  /** Any number without its fraction, exactly, unless it is too large. */
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

  /** Booleans before numbers before text; null for what has no place in an order. */
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

  /** What booleans and numbers are ordered by. */
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

  /** How many items it has; null for what is no list. */
  String length() {
    return when(" = 'ARRAY'", "json_array_length(" + source + ", " + SqlQuoting.path(path) + ")");
  }
}
