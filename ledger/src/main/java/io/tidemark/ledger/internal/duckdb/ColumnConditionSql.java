// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.OperandSql.PlainColumn;
import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.Compare;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Filter.In;
import io.tidemark.ledger.query.model.Filter.IsNull;
import io.tidemark.ledger.query.model.Filter.Match;
import io.tidemark.ledger.query.model.Filter.Nullness;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.util.ArrayList;
import java.util.List;

/** Conditions on values that have a column of their own, as SQL. */
final class ColumnConditionSql {

  static final String UNKNOWN = "CAST(NULL AS BOOLEAN)";

  private ColumnConditionSql() {}

  static String of(Filter leaf, PlainColumn plainColumn, Column column) {
    if (leaf instanceof Compare compare) {
      return compare(plainColumn, compare.comparison(), compare.value());
    }
    if (leaf instanceof In in) {
      return in(plainColumn, in);
    }
    if (leaf instanceof Match match) {
      return match(plainColumn, match, column);
    }
    return isNull(plainColumn, (IsNull) leaf, column);
  }

  /** Returns whether the condition is unknown for rows that don't exist, whose values are null. */
  static boolean isUnknownOfNull(Filter leaf) {
    return !(leaf instanceof IsNull) && !(leaf instanceof In in && in.values().isEmpty());
  }

  private static String compare(PlainColumn plainColumn, Comparison comparison, Literal value) {
    String sign = " " + NumericComparisonSql.sign(comparison) + " ";
    if (value instanceof Literal.Num number) {
      return switch (plainColumn.scalar()) {
        case LONG ->
            NumericComparisonSql.LONG.compare(plainColumn.sql(), comparison, number.value());
        case DECIMAL ->
            NumericComparisonSql.DECIMAL.compare(plainColumn.sql(), comparison, number.value());
        case DOUBLE ->
            "(" + plainColumn.sql() + sign + SqlQuoting.real(number.value().doubleValue()) + ")";
        default -> UNKNOWN;
      };
    }
    if (value instanceof Literal.Text text) {
      return switch (plainColumn.scalar()) {
        case STRING -> "(" + plainColumn.sql() + sign + SqlQuoting.text(text.value()) + ")";
        case INSTANT ->
            "("
                + plainColumn.sql()
                + sign
                + "CAST("
                + SqlQuoting.text(text.value())
                + " AS TIMESTAMPTZ))";
        default -> UNKNOWN;
      };
    }
    return value instanceof Literal.Bool bool && plainColumn.scalar() == Scalar.BOOLEAN
        ? "(" + plainColumn.sql() + sign + bool.value() + ")"
        : UNKNOWN;
  }

  private static String in(PlainColumn plainColumn, In in) {
    if (in.values().isEmpty()) {
      return "FALSE";
    }
    List<String> parts = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (Literal value : in.values()) {
      if (value instanceof Literal.Text text && plainColumn.scalar() == Scalar.STRING) {
        texts.add(text.value());
      } else {
        parts.add(compare(plainColumn, Comparison.EQ, value));
      }
    }
    if (!texts.isEmpty()) {
      parts.add(plainColumn.sql() + " IN (" + SqlQuoting.list(texts) + ")");
    }
    return "(" + String.join(" OR ", parts) + ")";
  }

  /** Returns the SQL of a text match; a moment is matched as the text it is stored as. */
  private static String match(PlainColumn plainColumn, Match match, Column column) {
    return switch (plainColumn.scalar()) {
      case STRING -> matches(plainColumn.sql(), match);
      case INSTANT -> matches(OperandSql.json(column).text(), match);
      default -> UNKNOWN;
    };
  }

  static String matches(String value, Match match) {
    String function =
        switch (match.place()) {
          case STARTS_WITH -> "starts_with";
          case ENDS_WITH -> "ends_with";
          case CONTAINS -> "contains";
        };
    return function + "(" + value + ", " + SqlQuoting.text(match.text().value()) + ")";
  }

  /**
   * Returns the SQL of a check for null; a value that isn't of its column's type is missing there,
   * but not null.
   */
  private static String isNull(PlainColumn plainColumn, IsNull asks, Column column) {
    String nothing = plainColumn.sql() + " IS NULL";
    if (column instanceof Column.Typed) {
      nothing += " AND " + OperandSql.json(column).isMissingOrNull();
    }
    return asks.nullness() == Nullness.NULL ? "(" + nothing + ")" : "(NOT (" + nothing + "))";
  }
}
