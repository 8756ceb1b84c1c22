// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.OperandSql.PlainColumn;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.SortKey;
import io.tidemark.ledger.query.model.SortKey.Direction;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.Identity.RelationKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** SQL of the order of a plan's rows, and of the condition that a row comes behind a cursor. */
final class OrderSql {

  private static final String NULL = "NULL";

  private final QueryPlan queryPlan;

  OrderSql(QueryPlan queryPlan) {
    this.queryPlan = queryPlan;
  }

  /** Sort key; null is last in either direction. */
  private record Key(String sql, Direction direction) {}

  /** Returns the sort keys of a column's values, one after the other. */
  static List<String> keys(Column column) {
    return OperandSql.plain(column)
        .map(plainColumn -> List.of(plainColumn.sql()))
        .orElseGet(
            () -> {
              JsonValueSql jsonValueSql = OperandSql.json(column);
              return List.of(
                  jsonValueSql.rank(),
                  jsonValueSql.size(),
                  jsonValueSql.whole(),
                  jsonValueSql.text());
            });
  }

  private List<Key> keys() {
    List<Key> keys = new ArrayList<>();
    for (SortKey sortKey : queryPlan.query().orders()) {
      keys(queryPlan.binding().column(sortKey.operand()))
          .forEach(sql -> keys.add(new Key(sql, sortKey.direction())));
    }
    if (queryPlan.window().shape() == Shape.HISTORY) {
      keys.add(new Key("q." + RowColumns.COMMIT_ID, Direction.ASCENDING));
    }
    RowColumns.identity(queryPlan.query().type().kind())
        .forEach(name -> keys.add(new Key("q." + name, Direction.ASCENDING)));
    return keys;
  }

  String orderBy() {
    return keys().stream()
        .map(
            key ->
                key.sql()
                    + (key.direction() == Direction.ASCENDING ? " ASC" : " DESC")
                    + " NULLS LAST")
        .collect(Collectors.joining(", "));
  }

  /** Returns the condition that a row comes behind the last one of the page before. */
  String after(Cursor cursor) {
    List<Key> keys = keys();
    List<String> values = values(cursor);
    List<String> ways = new ArrayList<>();
    StringBuilder equal = new StringBuilder();
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i).sql();
      String value = values.get(i);
      if (!value.equals(NULL)) {
        String sign = keys.get(i).direction() == Direction.ASCENDING ? " > " : " < ";
        ways.add("(" + equal + "(" + key + sign + value + " OR " + key + " IS NULL))");
      }
      equal.append(key).append(value.equals(NULL) ? " IS NULL" : " = " + value).append(" AND ");
    }
    return "(" + String.join(" OR ", ways) + ")";
  }

  private List<String> values(Cursor cursor) {
    List<String> values = new ArrayList<>();
    List<Cell> cells = queryPlan.cells(cursor);
    for (int i = 0; i < cells.size(); i++) {
      Column column = queryPlan.binding().column(queryPlan.query().orders().get(i).operand());
      Cell cell = cells.get(i);
      values.addAll(
          OperandSql.plain(column)
              .map(plainColumn -> List.of(literal(plainColumn, cell)))
              .orElseGet(() -> literals(cell)));
    }
    if (queryPlan.window().shape() == Shape.HISTORY) {
      values.add(Long.toString(cursor.commitId()));
    }
    if (cursor.identity() instanceof RelationKey key) {
      values.add(SqlQuoting.text(key.left()));
      values.add(SqlQuoting.text(key.right()));
      values.add(SqlQuoting.text(key.instance()));
    } else {
      values.add(SqlQuoting.text(cursor.identity().toString()));
    }
    return values;
  }

  private static String literal(PlainColumn plainColumn, Cell cell) {
    if (!cell.isOrdered()) {
      return NULL;
    }
    return switch (plainColumn.scalar()) {
      case STRING -> text(cell);
      case INSTANT -> "CAST(" + text(cell) + " AS TIMESTAMPTZ)";
      case BOOLEAN -> String.valueOf(cell instanceof Cell.Bool bool && bool.value());
      case DOUBLE -> SqlQuoting.real(cell instanceof Cell.Real real ? real.value() : 0);
      case LONG -> exact(cell, "BIGINT");
      case DECIMAL -> exact(cell, "DECIMAL(38, 18)");
    };
  }

  private static String text(Cell cell) {
    return SqlQuoting.text(cell instanceof Cell.Text text ? text.value() : "");
  }

  private static String exact(Cell cell, String type) {
    String digits = cell instanceof Cell.Exact exact ? exact.value().toPlainString() : "0";
    return "CAST('" + digits + "' AS " + type + ")";
  }

  /** Returns the parts that {@link #keys(Column)} has for a value in a payload, as literals. */
  private static List<String> literals(Cell cell) {
    if (!cell.isOrdered()) {
      return List.of(NULL, NULL, NULL, NULL);
    }
    String rank = Integer.toString(cell.rank());
    if (cell instanceof Cell.Text) {
      return List.of(rank, NULL, NULL, text(cell));
    }
    if (cell instanceof Cell.Bool bool) {
      return List.of(rank, SqlQuoting.real(bool.value() ? 1 : 0), NULL, NULL);
    }
    if (cell instanceof Cell.Real real) {
      String size = SqlQuoting.real(real.value());
      return List.of(rank, size, "TRY_CAST(" + size + " AS HUGEINT)", NULL);
    }
    String whole = exact(cell, "HUGEINT");
    return List.of(rank, "CAST(" + whole + " AS DOUBLE)", whole, NULL);
  }
}
