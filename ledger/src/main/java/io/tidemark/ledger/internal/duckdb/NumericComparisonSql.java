// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.query.model.Filter.Comparison;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * SQL of comparisons of exact numbers in a column with any number. A number that no value of the
 * column can equal is replaced by the next lower possible one, with the comparison that is then
 * equivalent. So the column is compared with its own type, and limits of files can be used.
 *
 * @param scale number of digits behind the point in the column
 */
record NumericComparisonSql(String type, int scale, BigDecimal min, BigDecimal max) {

  static final NumericComparisonSql LONG =
      new NumericComparisonSql(
          "BIGINT", 0, BigDecimal.valueOf(Long.MIN_VALUE), BigDecimal.valueOf(Long.MAX_VALUE));

  /** Comparison of whole numbers in JSON. */
  static final NumericComparisonSql WHOLE =
      new NumericComparisonSql(
          "HUGEINT",
          0,
          BigDecimal.valueOf(Long.MIN_VALUE),
          BigDecimal.valueOf(2).pow(64).subtract(BigDecimal.ONE));

  static final NumericComparisonSql DECIMAL =
      new NumericComparisonSql("DECIMAL(38, 18)", 18, largestDecimal().negate(), largestDecimal());

  private static BigDecimal largestDecimal() {
    return BigDecimal.TEN.pow(38).subtract(BigDecimal.ONE).movePointLeft(18);
  }

  String compare(String column, Comparison comparison, BigDecimal value) {
    if (value.compareTo(max) > 0) {
      return constant(column, comparison.holds(-1));
    }
    if (value.compareTo(min) < 0) {
      return constant(column, comparison.holds(1));
    }
    BigDecimal floor = value.setScale(scale, RoundingMode.FLOOR);
    String literal = "CAST('" + floor.toPlainString() + "' AS " + type + ")";
    if (floor.compareTo(value) == 0) {
      return "(" + column + " " + sign(comparison) + " " + literal + ")";
    }
    return switch (comparison) {
      case EQ -> constant(column, false);
      case NE -> constant(column, true);
      case GT, GE -> "(" + column + " > " + literal + ")";
      case LT, LE -> "(" + column + " <= " + literal + ")";
    };
  }

  /**
   * Returns the SQL of a constant result for each value, which is unknown where there is no value.
   */
  private static String constant(String column, boolean value) {
    return "(CASE WHEN " + column + " IS NOT NULL THEN " + value + " END)";
  }

  static String sign(Comparison comparison) {
    return comparison == Comparison.NE ? "<>" : comparison.sign();
  }
}
