// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Cell.Nothing;
import io.tidemark.ledger.query.model.Aggregate.Function;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.UtcTimestamp;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reader of values in DuckDB's answers as cells. */
final class CellReader {

  private CellReader() {}

  /**
   * Returns the readable form of a value; a moment is read as a number, which needs no time zone.
   */
  static String readable(String sql, Scalar scalar) {
    return scalar == Scalar.INSTANT ? "epoch_us(" + sql + ")" : sql;
  }

  /** Returns a value of a column, which was selected in its readable form. */
  static Cell plain(Scalar scalar, @Nullable Object value) {
    if (value == null) {
      return Nothing.NOTHING;
    }
    return switch (scalar) {
      case STRING -> new Cell.Text((String) value);
      case BOOLEAN -> new Cell.Bool((Boolean) value);
      case DOUBLE -> new Cell.Real((Double) value);
      case LONG, DECIMAL -> exact(value);
      case INSTANT ->
          new Cell.Text(
              UtcTimestamp.format(
                  Instant.EPOCH.plus(((Number) value).longValue(), ChronoUnit.MICROS)));
    };
  }

  static Cell exact(@Nullable Object value) {
    return value == null ? Nothing.NOTHING : new Cell.Exact(decimal(value));
  }

  private static BigDecimal decimal(Object value) {
    if (value instanceof BigDecimal exact) {
      return exact;
    }
    return value instanceof BigInteger whole
        ? new BigDecimal(whole)
        : BigDecimal.valueOf(((Number) value).longValue());
  }

  /** Returns a value that was selected by its sort keys: rank, size, whole part and text. */
  static Cell ordered(List<@Nullable Object> parts) {
    Object rank = parts.get(0);
    if (rank == null) {
      return Nothing.NOTHING;
    }
    Object text = parts.get(3);
    if (text != null) {
      return new Cell.Text((String) text);
    }
    double size = parts.get(1) instanceof Double real ? real : Double.NaN;
    if (((Number) rank).intValue() == 0) {
      return new Cell.Bool(size != 0);
    }
    Object whole = parts.get(2);
    return whole != null && size == Math.rint(size) ? exact(whole) : new Cell.Real(size);
  }

  /**
   * Returns a value that was selected by its sort keys with a fifth part, whether it is a double:
   * those are compared as such afterwards. The parts are a lone null if there was nothing to
   * compare.
   */
  static Cell extreme(List<@Nullable Object> parts) {
    if (parts.get(0) == null) {
      return Nothing.NOTHING;
    }
    return parts.get(1) instanceof Double size && Boolean.TRUE.equals(parts.get(4))
        ? new Cell.Real(size)
        : ordered(parts);
  }

  /**
   * Returns a sum or an average from an exact part, a fraction, a part in doubles, and the number
   * of values.
   */
  static Cell total(Function function, List<@Nullable Object> parts) {
    Object counted = parts.get(3);
    long count = counted == null ? 0 : ((Number) counted).longValue();
    if (count == 0) {
      return Nothing.NOTHING;
    }
    BigDecimal exact = orZero(parts.get(0)).add(orZero(parts.get(1)));
    Object real = parts.get(2);
    double total = exact.doubleValue() + (real instanceof Double part ? part : 0);
    if (function == Function.AVG) {
      return new Cell.Real(total / count);
    }
    return real == null ? new Cell.Exact(exact) : new Cell.Real(total);
  }

  private static BigDecimal orZero(@Nullable Object value) {
    return value == null ? BigDecimal.ZERO : decimal(value);
  }
}
