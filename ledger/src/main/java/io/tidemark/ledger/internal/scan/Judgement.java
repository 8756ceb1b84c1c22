// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Cells;
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

/** Says whether a filter is true of a row. */
final class Judgement {

  private final Values values;

  Judgement(Values values) {
    this.values = values;
  }

  /** Where the values of leaves come from: a row, or an item of a list in it. */
  private record Source(
      Function<Operand, Optional<Cell>> cells,
      Function<Operand, Optional<Cell>> texts,
      Function<FieldPath, JsonNode> lists) {}

  Truth of(Filter filter, Joined row) {
    return of(
        filter,
        new Source(
            operand -> values.cell(operand, row),
            operand -> values.text(operand, row),
            path -> values.json(path, row)));
  }

  private static Truth of(Filter filter, Source source) {
    if (filter instanceof And and) {
      Truth all = Truth.TRUE;
      for (Filter part : and.parts()) {
        all = all.and(of(part, source));
      }
      return all;
    }
    if (filter instanceof Or or) {
      Truth one = Truth.FALSE;
      for (Filter part : or.parts()) {
        one = one.or(of(part, source));
      }
      return one;
    }
    if (filter instanceof Not not) {
      return of(not.part(), source).not();
    }
    if (filter instanceof Any any) {
      return any(any, source);
    }
    return leaf(filter, source);
  }

  private static Truth any(Any any, Source source) {
    JsonNode list = source.lists().apply(any.list());
    if (list.isArray()) {
      for (JsonNode item : list) {
        Function<Operand, Optional<Cell>> cells =
            path -> Optional.of(Cells.untyped(Cells.at(item, ((FieldPath) path).segments())));
        if (of(any.item(), new Source(cells, cells, path -> item)) == Truth.TRUE) {
          return Truth.TRUE;
        }
      }
    }
    return Truth.FALSE;
  }

  private static Truth leaf(Filter leaf, Source source) {
    if (leaf instanceof Match match) {
      return source
          .texts()
          .apply(match.operand())
          .map(cell -> match(match, cell))
          .orElse(Truth.UNKNOWN);
    }
    if (leaf instanceof Compare compare) {
      return source
          .cells()
          .apply(compare.operand())
          .map(cell -> compare(cell, compare.comparison(), compare.value()))
          .orElse(Truth.UNKNOWN);
    }
    if (leaf instanceof In in) {
      return source.cells().apply(in.operand()).map(cell -> in(in, cell)).orElse(Truth.UNKNOWN);
    }
    IsNull asks = (IsNull) leaf;
    return source
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

  /** Of no values at all it is false, even for what has no value itself. */
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
