// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.CellConverter;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Aggregate.Function;
import io.tidemark.ledger.query.model.SortKey.Direction;
import java.math.BigDecimal;

/** Aggregator of one figure about the rows that are added to it. */
abstract class Aggregator {

  abstract void add(JoinedRow row);

  /** Returns the figure as a value; nothing when there was nothing to make it of. */
  abstract Cell result();

  final JsonNode json() {
    return CellConverter.json(result());
  }

  static Aggregator of(
      Aggregate aggregate, OperandEvaluator operandEvaluator, FilterEvaluator filterEvaluator) {
    if (aggregate instanceof Aggregate.CountWhere where) {
      return new CountingAggregator() {
        @Override
        boolean counts(JoinedRow row) {
          return filterEvaluator.evaluate(where.filter(), row) == Truth.TRUE;
        }
      };
    }
    if (aggregate instanceof Aggregate.AvgLen length) {
      return new SummingAggregator(Function.AVG) {
        @Override
        Cell cell(JoinedRow row) {
          JsonNode list = operandEvaluator.json(length.list(), row);
          return list.isArray()
              ? new Cell.Exact(BigDecimal.valueOf(list.size()))
              : Cell.Nothing.NOTHING;
        }
      };
    }
    return aggregate instanceof Aggregate.OfValues of
        ? ofValues(of, operandEvaluator)
        : new CountingAggregator() {
          @Override
          boolean counts(JoinedRow row) {
            return true;
          }
        };
  }

  private static Aggregator ofValues(Aggregate.OfValues of, OperandEvaluator operandEvaluator) {
    if (of.function() == Function.SUM || of.function() == Function.AVG) {
      return new SummingAggregator(of.function()) {
        @Override
        Cell cell(JoinedRow row) {
          return operandEvaluator.cell(of.operand(), row).orElse(Cell.Nothing.NOTHING);
        }
      };
    }
    Direction direction =
        of.function() == Function.MIN ? Direction.ASCENDING : Direction.DESCENDING;
    return new Aggregator() {
      private Cell first = Cell.Nothing.NOTHING;

      @Override
      void add(JoinedRow row) {
        Cell cell = operandEvaluator.cell(of.operand(), row).orElse(Cell.Nothing.NOTHING);
        int compared = RowOrdering.compare(cell, first, direction);
        if (compared < 0 || (compared == 0 && isNearer(cell))) {
          first = cell;
        }
      }

      /**
       * Returns whether a cell precedes an equal one: of the same number as a double and as a whole
       * number, the double is the greater one.
       */
      private boolean isNearer(Cell cell) {
        return direction == Direction.ASCENDING
            ? cell instanceof Cell.Exact && first instanceof Cell.Real
            : cell instanceof Cell.Real && first instanceof Cell.Exact;
      }

      @Override
      Cell result() {
        return first;
      }
    };
  }

  /** Aggregator that counts rows. */
  private abstract static class CountingAggregator extends Aggregator {
    private long count;

    abstract boolean counts(JoinedRow row);

    @Override
    void add(JoinedRow row) {
      count += counts(row) ? 1 : 0;
    }

    @Override
    Cell result() {
      return new Cell.Exact(BigDecimal.valueOf(count));
    }
  }

  /** Aggregator that adds numbers: exact ones exactly, and doubles as doubles are. */
  private abstract static class SummingAggregator extends Aggregator {
    private final Function function;
    private BigDecimal exact = BigDecimal.ZERO;
    private double real;
    private long count;
    private boolean inexact;

    SummingAggregator(Function function) {
      this.function = function;
    }

    abstract Cell cell(JoinedRow row);

    @Override
    void add(JoinedRow row) {
      Cell cell = cell(row);
      if (cell instanceof Cell.Exact number) {
        exact = exact.add(number.value());
        count++;
      } else if (cell instanceof Cell.Real number) {
        real += number.value();
        inexact = true;
        count++;
      }
    }

    @Override
    Cell result() {
      if (count == 0) {
        return Cell.Nothing.NOTHING;
      }
      double total = real + exact.doubleValue();
      if (function == Function.AVG) {
        return new Cell.Real(total / count);
      }
      return inexact ? new Cell.Real(total) : new Cell.Exact(exact);
    }
  }
}
