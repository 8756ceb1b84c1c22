// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.util.List;
import java.util.Optional;

/** SQL of operands over the rows {@code q} and their ends {@code l} and {@code r}. */
record OperandSql(Binding binding) {

  /** Value that has a column of its own. */
  record PlainColumn(String sql, Scalar scalar) {}

  static String alias(Side side) {
    return switch (side) {
      case SELF -> "q";
      case LEFT -> "l";
      case RIGHT -> "r";
    };
  }

  Column column(Operand operand) {
    return binding.column(operand);
  }

  /** Returns the column of an operand, or empty if the value is only in the payload. */
  static Optional<PlainColumn> plain(Column column) {
    String alias = alias(column.side()) + ".";
    if (column instanceof Column.Typed typed) {
      return Optional.of(new PlainColumn(alias + SqlQuoting.name(typed.name()), typed.scalar()));
    }
    if (column instanceof Column.Meta meta) {
      Scalar scalar = meta.field() == MetaField.COMMIT ? Scalar.LONG : Scalar.STRING;
      return Optional.of(new PlainColumn(alias + name(meta.field()), scalar));
    }
    return Optional.empty();
  }

  private static String name(MetaField field) {
    return switch (field) {
      case KEY -> RowColumns.ENTITY_KEY;
      case LEFT -> RowColumns.LEFT_KEY;
      case RIGHT -> RowColumns.RIGHT_KEY;
      case INSTANCE -> RowColumns.INSTANCE_KEY;
      case COMMIT -> RowColumns.COMMIT_ID;
    };
  }

  /** Returns the value in the payload. */
  static JsonValueSql json(Column column) {
    String payload = alias(column.side()) + "." + RowColumns.PAYLOAD;
    return column instanceof Column.Json json
        ? new JsonValueSql(payload, json.path())
        : new JsonValueSql(payload, List.of(((Column.Typed) column).name()));
  }
}
