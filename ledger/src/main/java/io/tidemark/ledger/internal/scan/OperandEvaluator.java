// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.CellConverter;
import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.Row;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Evaluator of operands in rows. For one thread. */
final class OperandEvaluator {

  private final Binding binding;
  private final Map<Operand, Column> columns = new HashMap<>();

  OperandEvaluator(Binding binding) {
    this.binding = binding;
  }

  /** Returns the value; empty when the row that it would be in doesn't exist. */
  Optional<Cell> cell(Operand operand, JoinedRow row) {
    Column column = column(operand);
    LazyRow lazyRow = row.at(column.side());
    return lazyRow == null ? Optional.empty() : Optional.of(cell(column, lazyRow));
  }

  /** Returns the value as text, for conditions that look into text: a moment is its text. */
  Optional<Cell> text(Operand operand, JoinedRow row) {
    Column column = column(operand);
    LazyRow lazyRow = row.at(column.side());
    if (lazyRow == null) {
      return Optional.empty();
    }
    boolean moment = column instanceof Column.Typed typed && typed.scalar() == Scalar.INSTANT;
    return Optional.of(
        moment ? CellConverter.untyped(json(column, lazyRow)) : cell(column, lazyRow));
  }

  /** Returns the value in the payload; missing for operands that aren't in a payload. */
  JsonNode json(Operand operand, JoinedRow row) {
    Column column = column(operand);
    LazyRow lazyRow = row.at(column.side());
    return lazyRow == null ? JsonNodeFactory.instance.missingNode() : json(column, lazyRow);
  }

  Column column(Operand operand) {
    return columns.computeIfAbsent(operand, binding::column);
  }

  private static Cell cell(Column column, LazyRow lazyRow) {
    if (column instanceof Column.Typed typed) {
      return CellConverter.typed(typed.scalar(), json(column, lazyRow));
    }
    return column instanceof Column.Meta meta
        ? meta(meta.field(), lazyRow.row())
        : CellConverter.untyped(json(column, lazyRow));
  }

  private static JsonNode json(Column column, LazyRow lazyRow) {
    if (column instanceof Column.Typed typed) {
      return lazyRow.payload().path(typed.name());
    }
    return column instanceof Column.Json json
        ? CellConverter.at(lazyRow.payload(), json.path())
        : JsonNodeFactory.instance.missingNode();
  }

  private static Cell meta(MetaField field, Row row) {
    if (field == MetaField.COMMIT) {
      return new Cell.Exact(BigDecimal.valueOf(row.commitId()));
    }
    if (row.identity() instanceof RelationKey key) {
      return new Cell.Text(
          switch (field) {
            case LEFT -> key.left();
            case RIGHT -> key.right();
            default -> key.instance();
          });
    }
    return new Cell.Text(row.identity().toString());
  }
}
