// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Which rows are meant: true, false or unknown of each row, and only those of which it is true are.
 *
 * <p>A comparison with null, with what isn't there, or of values of different kinds is unknown; so
 * is every leaf that looks at an end of a relation that doesn't exist. {@code not}, {@code and} and
 * {@code or} are those of SQL. {@code toString()} is the expression that people write.
 */
public sealed interface Filter {

  /** Is true of every row. */
  static Filter all() {
    return new And(List.of());
  }

  /** How two values are compared. */
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

    /** As people write it. */
    public String sign() {
      return sign;
    }

    /** Whether it holds, given how the left side compares with the right one. */
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

  /** Compares with a value. */
  record Compare(Operand operand, Comparison comparison, Literal value) implements Filter {
    @Override
    public String toString() {
      return value instanceof Literal.Bool && comparison == Comparison.EQ
          ? operand + " is " + value
          : operand + " " + comparison.sign() + " " + value;
    }
  }

  /** Is one of several values: the same as comparing with each, joined by {@code or}. */
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

  /** Where a text occurs in another: literally, and with case. */
  enum Place {
    STARTS_WITH("startswith"),
    ENDS_WITH("endswith"),
    CONTAINS("contains");

    private final String word;

    Place(String word) {
      this.word = word;
    }

    /** As people write it. */
    public String word() {
      return word;
    }
  }

  /** Has a text in it. */
  record Match(Operand operand, Place place, Literal.Text text) implements Filter {
    @Override
    public String toString() {
      return operand + " " + place.word() + " " + text;
    }
  }

  /** Whether there is a value. */
  enum Nullness {
    NULL("null"),
    NOT_NULL("not null");

    private final String words;

    Nullness(String words) {
      this.words = words;
    }

    /** As people write it, behind {@code is}. */
    public String words() {
      return words;
    }
  }

  /** Asks whether there is a value; null and what isn't there are the same. */
  record IsNull(Operand operand, Nullness nullness) implements Filter {
    @Override
    public String toString() {
      return operand + " is " + nullness.words();
    }
  }

  /**
   * Holds for at least one item of a list. Never unknown: false of what is no list.
   *
   * @param item whose paths begin at the item
   */
  record Any(FieldPath list, Filter item) implements Filter {
    @Override
    public String toString() {
      return "any(" + FilterTrees.mapOperands(item, path -> list.then((FieldPath) path)) + ")";
    }
  }

  /** Every part holds. */
  record And(List<Filter> parts) implements Filter {
    public And {
      parts = List.copyOf(parts);
    }

    @Override
    public String toString() {
      return FilterTrees.joined(parts, " and ");
    }
  }

  /** At least one part holds. */
  record Or(List<Filter> parts) implements Filter {
    public Or {
      parts = List.copyOf(parts);
    }

    @Override
    public String toString() {
      return FilterTrees.joined(parts, " or ");
    }
  }

  /** The part doesn't hold; unknown when that is. */
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
