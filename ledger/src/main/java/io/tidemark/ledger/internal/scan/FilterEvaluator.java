// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.CellConverter;
import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.And;
import io.tidemark.ledger.query.model.Filter.Any;
import io.tidemark.ledger.query.model.Filter.Compare;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Filter.In;
import io.tidemark.ledger.query.model.Filter.IsNull;
import io.tidemark.ledger.query.model.Filter.Match;
import io.tidemark.ledger.query.model.Filter.Not;
import io.tidemark.ledger.query.model.Filter.Nullness;
import io.tidemark.ledger.query.model.Filter.Or;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.Operand;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Evaluator of whether a filter is true of a row. */
final class FilterEvaluator {

  private final OperandEvaluator operandEvaluator;

  FilterEvaluator(OperandEvaluator operandEvaluator) {
    this.operandEvaluator = operandEvaluator;
  }

  /** Source of the values of leaves: a row, or an item of a list in it. */
  private record ValueSource(
      Function<Operand, Optional<Cell>> cells,
      Function<Operand, Optional<Cell>> texts,
      Function<FieldPath, JsonNode> lists) {}

  Truth evaluate(Filter filter, JoinedRow row) {
    return evaluate(
        filter,
        new ValueSource(
            operand -> operandEvaluator.cell(operand, row),
            operand -> operandEvaluator.text(operand, row),
            path -> operandEvaluator.json(path, row)));
  }

  private static Truth evaluate(Filter filter, ValueSource valueSource) {
    if (filter instanceof And and) {
      Truth all = Truth.TRUE;
      for (Filter part : and.parts()) {
        all = all.and(evaluate(part, valueSource));
      }
      return all;
    }
    if (filter instanceof Or or) {
      Truth one = Truth.FALSE;
      for (Filter part : or.parts()) {
        one = one.or(evaluate(part, valueSource));
      }
      return one;
    }
    if (filter instanceof Not not) {
      return evaluate(not.part(), valueSource).not();
    }
    if (filter instanceof Any any) {
      return any(any, valueSource);
    }
    return leaf(filter, valueSource);
  }

  private static Truth any(Any any, ValueSource valueSource) {
    JsonNode list = valueSource.lists().apply(any.list());
    if (list.isArray()) {
      for (JsonNode item : list) {
        Function<Operand, Optional<Cell>> cells =
            path ->
                Optional.of(
                    CellConverter.untyped(CellConverter.at(item, ((FieldPath) path).segments())));
        if (evaluate(any.item(), new ValueSource(cells, cells, path -> item)) == Truth.TRUE) {
          return Truth.TRUE;
        }
      }
    }
    return Truth.FALSE;
  }

  private static Truth leaf(Filter leaf, ValueSource valueSource) {
    if (leaf instanceof Match match) {
      return valueSource
          .texts()
          .apply(match.operand())
          .map(cell -> match(match, cell))
          .orElse(Truth.UNKNOWN);
    }
    if (leaf instanceof Compare compare) {
      return valueSource
          .cells()
          .apply(compare.operand())
          .map(cell -> compare(cell, compare.comparison(), compare.value()))
          .orElse(Truth.UNKNOWN);
    }
    if (leaf instanceof In in) {
      return valueSource
          .cells()
          .apply(in.operand())
          .map(cell -> in(in, cell))
          .orElse(Truth.UNKNOWN);
    }
    IsNull asks = (IsNull) leaf;
    return valueSource
        .cells()
        .apply(asks.operand())
        .map(cell -> cell == Cell.Nothing.NOTHING)
        .map(nothing -> Truth.of(nothing == (asks.nullness() == Nullness.NULL)))
        .orElse(Truth.UNKNOWN);
  }

  static Truth compare(Cell cell, Comparison comparison, Literal value) {
    OptionalInt compared = cell.compare(value);
    return compared.isEmpty() ? Truth.UNKNOWN : Truth.of(comparison.holds(compared.getAsInt()));
  }

  /** Evaluates a list of values: without any it is false, even for a cell that has no value. */
  private static Truth in(In in, Cell cell) {
    Truth one = Truth.FALSE;
    for (Literal value : in.values()) {
      one = one.or(compare(cell, Comparison.EQ, value));
    }
    return one;
  }

  private static Truth match(Match match, Cell cell) {
    if (!(cell instanceof Cell.Text text)) {
      return Truth.UNKNOWN;
    }
    String part = match.text().value();
    return Truth.of(
        switch (match.place()) {
          case STARTS_WITH -> text.value().startsWith(part);
          case ENDS_WITH -> text.value().endsWith(part);
          case CONTAINS -> text.value().contains(part);
        });
  }
}
