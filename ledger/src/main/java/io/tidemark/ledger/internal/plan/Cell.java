// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.query.model.Literal;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.math.BigDecimal;
import java.util.OptionalInt;

/**
 * A value as conditions and orders see it.
 *
 * <p>Whole numbers and decimals are compared exactly. A double is compared with a number as doubles
 * are, so that 0.1 equals 0.1. Text is ordered by code points, false is before true, and values of
 * different kinds don't compare.
 */
public sealed interface Cell {

  /** Absence of a value: null, or nothing at all. */
  enum Nothing implements Cell {
    NOTHING
  }

  /**
   * A value that nothing compares with: a list, an object, or one that isn't of its field's type.
   */
  enum Other implements Cell {
    OTHER
  }

  record Bool(boolean value) implements Cell {}

  record Exact(BigDecimal value) implements Cell {}

  record Real(double value) implements Cell {}

  record Text(String value) implements Cell {}

  /** Returns how the value compares with that of a query; empty when that is unknown. */
  default OptionalInt compare(Literal literal) {
    if (this instanceof Text text && literal instanceof Literal.Text other) {
      return OptionalInt.of(CanonicalJson.ORDER.compare(text.value, other.value()));
    }
    if (this instanceof Bool bool && literal instanceof Literal.Bool other) {
      return OptionalInt.of(Boolean.compare(bool.value, other.value()));
    }
    if (literal instanceof Literal.Num number) {
      if (this instanceof Exact exact) {
        return OptionalInt.of(exact.value.compareTo(number.value()));
      }
      if (this instanceof Real real) {
        return OptionalInt.of(compare(real.value, number.value().doubleValue()));
      }
    }
    return OptionalInt.empty();
  }

  /** Compares doubles; both zeros are equal, unlike by {@link Double#compare}. */
  private static int compare(double one, double other) {
    return one == other ? 0 : one < other ? -1 : 1;
  }

  /** Returns whether it has a place in an order; values without one come last. */
  default boolean isOrdered() {
    return !(this instanceof Nothing) && !(this instanceof Other);
  }

  /** Returns the rank of the value's kind: booleans, then numbers, then text. */
  default int rank() {
    return this instanceof Bool ? 0 : this instanceof Text ? 2 : 1;
  }

  /** Returns how two values that have a place in an order compare in it. */
  static int order(Cell one, Cell other) {
    if (one.rank() != other.rank()) {
      return Integer.compare(one.rank(), other.rank());
    }
    if (one instanceof Bool a && other instanceof Bool b) {
      return Boolean.compare(a.value, b.value);
    }
    if (one instanceof Text a && other instanceof Text b) {
      return CanonicalJson.ORDER.compare(a.value, b.value);
    }
    if (one instanceof Real a && other instanceof Real b) {
      return compare(a.value, b.value);
    }
    if (isInfinite(one) || isInfinite(other)) {
      return compare(real(one), real(other));
    }
    return exact(one).compareTo(exact(other));
  }

  private static boolean isInfinite(Cell cell) {
    return cell instanceof Real real && Double.isInfinite(real.value);
  }

  /** Returns the number that it is, to the last bit. */
  private static BigDecimal exact(Cell cell) {
    return cell instanceof Exact exact ? exact.value : new BigDecimal(((Real) cell).value);
  }

  private static double real(Cell cell) {
    return cell instanceof Real real ? real.value : ((Exact) cell).value.doubleValue();
  }
}
