// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.Operands.Plain;
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

/** Conditions on values that have a column of their own. */
final class PlainLeaf {

  static final String UNKNOWN = "CAST(NULL AS BOOLEAN)";

  private PlainLeaf() {}

  static String of(Filter leaf, Plain plain, Column column) {
    if (leaf instanceof Compare compare) {
      return compare(plain, compare.comparison(), compare.value());
    }
    if (leaf instanceof In in) {
      return in(plain, in);
    }
    if (leaf instanceof Match match) {
      return match(plain, match, column);
    }
    return isNull(plain, (IsNull) leaf, column);
  }

  /** Whether the condition needs no care for rows that don't exist, whose values are null. */
  static boolean isUnknownOfNull(Filter leaf) {
    return !(leaf instanceof IsNull) && !(leaf instanceof In in && in.values().isEmpty());
  }

  private static String compare(Plain plain, Comparison comparison, Literal value) {
    String sign = " " + Bounds.sign(comparison) + " ";
    if (value instanceof Literal.Num number) {
      return switch (plain.scalar()) {
        case LONG -> Bounds.LONG.compare(plain.sql(), comparison, number.value());
        case DECIMAL -> Bounds.DECIMAL.compare(plain.sql(), comparison, number.value());
        case DOUBLE -> "(" + plain.sql() + sign + SqlText.real(number.value().doubleValue()) + ")";
        default -> UNKNOWN;
      };
    }
    if (value instanceof Literal.Text text) {
      return switch (plain.scalar()) {
        case STRING -> "(" + plain.sql() + sign + SqlText.text(text.value()) + ")";
        case INSTANT ->
            "(" + plain.sql() + sign + "CAST(" + SqlText.text(text.value()) + " AS TIMESTAMPTZ))";
        default -> UNKNOWN;
      };
    }
    return value instanceof Literal.Bool bool && plain.scalar() == Scalar.BOOLEAN
        ? "(" + plain.sql() + sign + bool.value() + ")"
        : UNKNOWN;
  }

  private static String in(Plain plain, In in) {
    if (in.values().isEmpty()) {
      return "FALSE";
    }
    List<String> parts = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (Literal value : in.values()) {
      if (value instanceof Literal.Text text && plain.scalar() == Scalar.STRING) {
        texts.add(text.value());
      } else {
        parts.add(compare(plain, Comparison.EQ, value));
      }
    }
    if (!texts.isEmpty()) {
      parts.add(plain.sql() + " IN (" + SqlText.list(texts) + ")");
    }
    return "(" + String.join(" OR ", parts) + ")";
  }

  /** A moment is looked into as the text it is stored as. */
  private static String match(Plain plain, Match match, Column column) {
    return switch (plain.scalar()) {
      case STRING -> matches(plain.sql(), match);
      case INSTANT -> matches(Operands.json(column).text(), match);
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
    return function + "(" + value + ", " + SqlText.text(match.text().value()) + ")";
  }

  /** A value that isn't of its column's type is missing there, and is a value all the same. */
  private static String isNull(Plain plain, IsNull asks, Column column) {
    String nothing = plain.sql() + " IS NULL";
    if (column instanceof Column.Typed) {
      nothing += " AND " + Operands.json(column).isNothing();
    }
    return asks.nullness() == Nullness.NULL ? "(" + nothing + ")" : "(NOT (" + nothing + "))";
  }
}
