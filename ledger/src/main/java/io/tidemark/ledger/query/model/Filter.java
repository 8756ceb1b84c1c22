// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Condition on rows: true, false or unknown of each row. It selects the rows of which it is true.
 *
 * <p>A comparison with null, with a missing value, or of values of different kinds is unknown; so
 * is every leaf on an end of a relation that doesn't exist. {@code not}, {@code and} and {@code or}
 * are those of SQL. {@code toString()} is the expression in its text syntax.
 */
public sealed interface Filter {

  /** Returns the filter that is true of every row. */
  static Filter all() {
    return new And(List.of());
  }

  /** Comparison operator. */
  enum Comparison {
    EQ("="),
    NE("!="),
    LT("<"),
    LE("<="),
    GT(">"),
    GE(">=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    /** Returns the operator as it is written in an expression. */
    public String sign() {
      return sign;
    }

    /** Returns whether it holds, given how the left side compares with the right one. */
    public boolean holds(int compared) {
      return switch (this) {
        case EQ -> compared == 0;
        case NE -> compared != 0;
        case LT -> compared < 0;
        case LE -> compared <= 0;
        case GT -> compared > 0;
        case GE -> compared >= 0;
      };
    }
  }

  /** Comparison with a value. */
  record Compare(Operand operand, Comparison comparison, Literal value) implements Filter {
    @Override
    public String toString() {
      return value instanceof Literal.Bool && comparison == Comparison.EQ
          ? operand + " is " + value
          : operand + " " + comparison.sign() + " " + value;
    }
  }

  /** Membership in several values: equal to comparing with each, joined by {@code or}. */
  record In(Operand operand, List<Literal> values) implements Filter {
    public In {
      values = List.copyOf(values);
    }

    @Override
    public String toString() {
      return operand
          + " in ("
          + values.stream().map(Literal::toString).collect(Collectors.joining(", "))
          + ")";
    }
  }

  /** Position of a text in another: literally, and with case. */
  enum Place {
    STARTS_WITH("startswith"),
    ENDS_WITH("endswith"),
    CONTAINS("contains");

    private final String word;

    Place(String word) {
      this.word = word;
    }

    /** Returns the operator as it is written in an expression. */
    public String word() {
      return word;
    }
  }

  /** Text match at a position. */
  record Match(Operand operand, Place place, Literal.Text text) implements Filter {
    @Override
    public String toString() {
      return operand + " " + place.word() + " " + text;
    }
  }

  /** Presence of a value. */
  enum Nullness {
    NULL("null"),
    NOT_NULL("not null");

    private final String words;

    Nullness(String words) {
      this.words = words;
    }

    /** Returns the words as they are written in an expression, behind {@code is}. */
    public String words() {
      return words;
    }
  }

  /** Check for a value; null and a missing value are equal. */
  record IsNull(Operand operand, Nullness nullness) implements Filter {
    @Override
    public String toString() {
      return operand + " is " + nullness.words();
    }
  }

  /**
   * Condition that holds for at least one item of a list. Never unknown: false of a value that is
   * no list.
   *
   * @param item condition on an item, whose paths begin at the item
   */
  record Any(FieldPath list, Filter item) implements Filter {
    @Override
    public String toString() {
      return "any(" + FilterTrees.mapOperands(item, path -> list.then((FieldPath) path)) + ")";
    }
  }

  /** Conjunction: every part holds. */
  record And(List<Filter> parts) implements Filter {
    public And {
      parts = List.copyOf(parts);
    }

    @Override
    public String toString() {
      return FilterTrees.joined(parts, " and ");
    }
  }

  /** Disjunction: at least one part holds. */
  record Or(List<Filter> parts) implements Filter {
    public Or {
      parts = List.copyOf(parts);
    }

    @Override
    public String toString() {
      return FilterTrees.joined(parts, " or ");
    }
  }

  /** Negation: the part doesn't hold; unknown when the part is. */
  record Not(Filter part) implements Filter {
    @Override
    public String toString() {
      return "not (" + part + ")";
    }
  }

  default Filter and(Filter other) {
    return new And(List.of(this, other));
  }

  default Filter or(Filter other) {
    return new Or(List.of(this, other));
  }

  default Filter not() {
    return new Not(this);
  }
}
