// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import io.tidemark.ledger.query.model.Filter.Compare;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Filter.In;
import io.tidemark.ledger.query.model.Filter.IsNull;
import io.tidemark.ledger.query.model.Filter.Match;
import io.tidemark.ledger.query.model.Filter.Nullness;
import io.tidemark.ledger.query.model.Filter.Place;
import io.tidemark.objects.UtcTimestamp;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operand of a condition, to be completed by a comparison.
 *
 * <p>Values are text, numbers and moments. A value of another kind, null and booleans are refused,
 * the latter two with a remedy.
 */
public record FieldExpression(Operand operand) {

  public Filter eq(@Nullable Object value) {
    return compare(Comparison.EQ, value);
  }

  public Filter ne(@Nullable Object value) {
    return compare(Comparison.NE, value);
  }

  public Filter lt(@Nullable Object value) {
    return compare(Comparison.LT, value);
  }

  public Filter le(@Nullable Object value) {
    return compare(Comparison.LE, value);
  }

  public Filter gt(@Nullable Object value) {
    return compare(Comparison.GT, value);
  }

  public Filter ge(@Nullable Object value) {
    return compare(Comparison.GE, value);
  }

  /** Returns the condition that the operand equals one of these; null among them equals nothing. */
  public Filter in(@Nullable Object... values) {
    return in(Arrays.asList(values));
  }

  /** Returns the condition that the operand equals one of these; null among them equals nothing. */
  public Filter in(Collection<? extends @Nullable Object> values) {
    List<Literal> literals = new ArrayList<>();
    for (Object value : values) {
      literals.add(value == null ? Literal.Null.NULL : literal(value));
    }
    return new In(operand, literals);
  }

  public Filter isNull() {
    return new IsNull(operand, Nullness.NULL);
  }

  public Filter isNotNull() {
    return new IsNull(operand, Nullness.NOT_NULL);
  }

  public Filter isTrue() {
    return new Compare(operand, Comparison.EQ, Literal.Bool.TRUE);
  }

  public Filter isFalse() {
    return new Compare(operand, Comparison.EQ, Literal.Bool.FALSE);
  }

  public Filter startsWith(String text) {
    return new Match(operand, Place.STARTS_WITH, new Literal.Text(text));
  }

  public Filter endsWith(String text) {
    return new Match(operand, Place.ENDS_WITH, new Literal.Text(text));
  }

  public Filter contains(String text) {
    return new Match(operand, Place.CONTAINS, new Literal.Text(text));
  }

  private Filter compare(Comparison comparison, @Nullable Object value) {
    if (value == null || value instanceof Boolean) {
      throw new InvalidQueryException(
          operand
              + " can't be compared with "
              + value
              + "; use "
              + (value == null ? "isNull() or isNotNull()" : "isTrue() or isFalse()"));
    }
    return new Compare(operand, comparison, literal(value));
  }

  private Literal literal(Object value) {
    if (value instanceof Literal known) {
      return known;
    }
    if (value instanceof CharSequence text) {
      return new Literal.Text(text.toString());
    }
    if (value instanceof Instant moment) {
      return new Literal.Text(UtcTimestamp.format(moment));
    }
    if (value instanceof Boolean bool) {
      return Literal.Bool.of(bool);
    }
    if (value instanceof BigDecimal exact) {
      return new Literal.Num(exact);
    }
    if (value instanceof BigInteger whole) {
      return new Literal.Num(new BigDecimal(whole));
    }
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return new Literal.Num(BigDecimal.valueOf(((Number) value).longValue()));
    }
    if (value instanceof Double || value instanceof Float) {
      return new Literal.Num(real(((Number) value).doubleValue()));
    }
    throw new InvalidQueryException(
        operand
            + " can't be compared with "
            + value.getClass().getSimpleName()
            + " "
            + value
            + "; give text, a number or an Instant");
  }

  private BigDecimal real(double value) {
    if (!Double.isFinite(value)) {
      throw new InvalidQueryException(
          operand + " can't be compared with " + value + ", which no row holds; give a number");
    }
    return new BigDecimal(Double.toString(value));
  }
}
