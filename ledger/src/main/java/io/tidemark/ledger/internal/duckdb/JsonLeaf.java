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

/** Conditions on values that only the payload has, and whose kind only the payload knows. */
final class JsonLeaf {

  private JsonLeaf() {}

  static String of(Filter leaf, Json json) {
    if (leaf instanceof Compare compare) {
      return compare(json, compare.comparison(), compare.value());
    }
    if (leaf instanceof In in) {
      return in.values().isEmpty()
          ? "FALSE"
          : in.values().stream()
              .map(value -> compare(json, Comparison.EQ, value))
              .collect(Collectors.joining(" OR ", "(", ")"));
    }
    if (leaf instanceof Match match) {
      return PlainLeaf.matches(json.text(), match);
    }
    return ((IsNull) leaf).nullness() == Nullness.NULL
        ? json.isNothing()
        : "(NOT " + json.isNothing() + ")";
  }

  private static String compare(Json json, Comparison comparison, Literal value) {
    String sign = " " + Bounds.sign(comparison) + " ";
    if (value instanceof Literal.Text text) {
      return "(" + json.text() + sign + SqlText.text(text.value()) + ")";
    }
    if (value instanceof Literal.Bool bool) {
      return "(" + json.bool() + sign + bool.value() + ")";
    }
    if (value instanceof Literal.Num number) {
      String exact = Bounds.WHOLE.compare(json.exact(), comparison, number.value());
      String real = "(" + json.real() + sign + SqlText.real(number.value().doubleValue()) + ")";
      return "(CASE WHEN " + json.kind() + " = 'DOUBLE' THEN " + real + " ELSE " + exact + " END)";
    }
    return PlainLeaf.UNKNOWN;
  }
}
