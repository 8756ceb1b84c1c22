// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Cells;
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

/** Finds the values of operands in rows. For one thread. */
final class Values {

  private final Binding binding;
  private final Map<Operand, Column> columns = new HashMap<>();

  Values(Binding binding) {
    this.binding = binding;
  }

  /** The value; empty when the row that it would be in doesn't exist. */
  Optional<Cell> cell(Operand operand, Joined row) {
    Column column = column(operand);
    View view = row.at(column.side());
    return view == null ? Optional.empty() : Optional.of(cell(column, view));
  }

  /** The value as text, for conditions that look into text: a moment is its text. */
  Optional<Cell> text(Operand operand, Joined row) {
    Column column = column(operand);
    View view = row.at(column.side());
    if (view == null) {
      return Optional.empty();
    }
    boolean moment = column instanceof Column.Typed typed && typed.scalar() == Scalar.INSTANT;
    return Optional.of(moment ? Cells.untyped(json(column, view)) : cell(column, view));
  }

  /** What the payload has there; missing for what isn't in a payload. */
  JsonNode json(Operand operand, Joined row) {
    Column column = column(operand);
    View view = row.at(column.side());
    return view == null ? JsonNodeFactory.instance.missingNode() : json(column, view);
  }

  Column column(Operand operand) {
    return columns.computeIfAbsent(operand, binding::column);
  }

  private static Cell cell(Column column, View view) {
    if (column instanceof Column.Typed typed) {
      return Cells.typed(typed.scalar(), json(column, view));
    }
    return column instanceof Column.Meta meta
        ? meta(meta.field(), view.row())
        : Cells.untyped(json(column, view));
  }

  private static JsonNode json(Column column, View view) {
    if (column instanceof Column.Typed typed) {
      return view.payload().path(typed.name());
    }
    return column instanceof Column.Json json
        ? Cells.at(view.payload(), json.path())
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
