// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.Compare;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Filter.In;
import io.tidemark.ledger.query.model.Filter.IsNull;
import io.tidemark.ledger.query.model.Filter.Match;
import io.tidemark.ledger.query.model.Filter.Nullness;
import io.tidemark.ledger.query.model.Literal;
import java.util.stream.Collectors;

/** SQL of conditions on values that only the payload has, and whose kind only the payload knows. */
final class JsonConditionSql {

  private JsonConditionSql() {}

  static String of(Filter leaf, JsonValueSql jsonValueSql) {
    if (leaf instanceof Compare compare) {
      return compare(jsonValueSql, compare.comparison(), compare.value());
    }
    if (leaf instanceof In in) {
      return in.values().isEmpty()
          ? "FALSE"
          : in.values().stream()
              .map(value -> compare(jsonValueSql, Comparison.EQ, value))
              .collect(Collectors.joining(" OR ", "(", ")"));
    }
    if (leaf instanceof Match match) {
      return ColumnConditionSql.matches(jsonValueSql.text(), match);
    }
    return ((IsNull) leaf).nullness() == Nullness.NULL
        ? jsonValueSql.isMissingOrNull()
        : "(NOT " + jsonValueSql.isMissingOrNull() + ")";
  }

  private static String compare(JsonValueSql jsonValueSql, Comparison comparison, Literal value) {
    String sign = " " + NumericComparisonSql.sign(comparison) + " ";
    if (value instanceof Literal.Text text) {
      return "(" + jsonValueSql.text() + sign + SqlQuoting.text(text.value()) + ")";
    }
    if (value instanceof Literal.Bool bool) {
      return "(" + jsonValueSql.bool() + sign + bool.value() + ")";
    }
    if (value instanceof Literal.Num number) {
      String exact =
          NumericComparisonSql.WHOLE.compare(jsonValueSql.exact(), comparison, number.value());
      String real =
          "(" + jsonValueSql.real() + sign + SqlQuoting.real(number.value().doubleValue()) + ")";
      return "(CASE WHEN "
          + jsonValueSql.kind()
          + " = 'DOUBLE' THEN "
          + real
          + " ELSE "
          + exact
          + " END)";
    }
    return ColumnConditionSql.UNKNOWN;
  }
}
