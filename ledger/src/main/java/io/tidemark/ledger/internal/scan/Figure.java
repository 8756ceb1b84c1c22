// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Cells;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Aggregate.Function;
import io.tidemark.ledger.query.model.Order.Direction;
import java.math.BigDecimal;

/** A figure about the rows that are added to it. */
abstract class Figure {

  abstract void add(Joined row);

  /** The figure as a value; nothing when there was nothing to make it of. */
  abstract Cell result();

  final JsonNode json() {
    return Cells.json(result());
  }

  static Figure of(Aggregate aggregate, Values values, Judgement judgement) {
    if (aggregate instanceof Aggregate.CountWhere where) {
      return new Counting() {
        @Override
        boolean counts(Joined row) {
          return judgement.of(where.filter(), row) == Truth.TRUE;
        }
      };
    }
    if (aggregate instanceof Aggregate.AvgLen length) {
      return new Adding(Function.AVG) {
        @Override
        Cell cell(Joined row) {
          JsonNode list = values.json(length.list(), row);
          return list.isArray()
              ? new Cell.Exact(BigDecimal.valueOf(list.size()))
              : Cell.Nothing.NOTHING;
        }
      };
    }
    return aggregate instanceof Aggregate.OfValues of
        ? ofValues(of, values)
        : new Counting() {
          @Override
          boolean counts(Joined row) {
            return true;
          }
        };
  }

  private static Figure ofValues(Aggregate.OfValues of, Values values) {
    if (of.function() == Function.SUM || of.function() == Function.AVG) {
      return new Adding(of.function()) {
        @Override
        Cell cell(Joined row) {
          return values.cell(of.operand(), row).orElse(Cell.Nothing.NOTHING);
        }
      };
    }
    Direction direction =
        of.function() == Function.MIN ? Direction.ASCENDING : Direction.DESCENDING;
    return new Figure() {
      private Cell first = Cell.Nothing.NOTHING;

      @Override
      void add(Joined row) {
        Cell cell = values.cell(of.operand(), row).orElse(Cell.Nothing.NOTHING);
        int compared = Sorting.compare(cell, first, direction);
        if (compared < 0 || (compared == 0 && isNearer(cell))) {
          first = cell;
        }
      }

      /** Of the same number as a double and as a whole number, the double is the greater one. */
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

  /** Counts rows. */
  private abstract static class Counting extends Figure {
    private long count;

    abstract boolean counts(Joined row);

    @Override
    void add(Joined row) {
      count += counts(row) ? 1 : 0;
    }

    @Override
    Cell result() {
      return new Cell.Exact(BigDecimal.valueOf(count));
    }
  }

  /** Adds numbers: exact ones exactly, and doubles as doubles are. */
  private abstract static class Adding extends Figure {
    private final Function function;
    private BigDecimal exact = BigDecimal.ZERO;
    private double real;
    private long count;
    private boolean inexact;

    Adding(Function function) {
      this.function = function;
    }

    abstract Cell cell(Joined row);

    @Override
    void add(Joined row) {
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
