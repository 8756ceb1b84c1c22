// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.Operands.Plain;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Order;
import io.tidemark.ledger.query.model.Order.Direction;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.Identity.RelationKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The order of a plan's rows as SQL, and the condition that a row comes behind a cursor. */
final class OrderSql {

  private static final String NULL = "NULL";

  private final Plan plan;

  OrderSql(Plan plan) {
    this.plan = plan;
  }

  /** One of the things that rows are ordered by; null is last in either direction. */
  private record Key(String sql, Direction direction) {}

  /** What values of a column are ordered by, one after the other. */
  static List<String> keys(Column column) {
    return Operands.plain(column)
        .map(plain -> List.of(plain.sql()))
        .orElseGet(
            () -> {
              Json json = Operands.json(column);
              return List.of(json.rank(), json.size(), json.whole(), json.text());
            });
  }

  private List<Key> keys() {
    List<Key> keys = new ArrayList<>();
    for (Order order : plan.query().orders()) {
      keys(plan.binding().column(order.operand()))
          .forEach(sql -> keys.add(new Key(sql, order.direction())));
    }
    if (plan.window().shape() == Shape.HISTORY) {
      keys.add(new Key("q." + RowColumns.COMMIT_ID, Direction.ASCENDING));
    }
    RowColumns.identity(plan.query().type().kind())
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

  /** Whether a row comes behind the one that the page before ended with. */
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
    List<Cell> cells = plan.cells(cursor);
    for (int i = 0; i < cells.size(); i++) {
      Column column = plan.binding().column(plan.query().orders().get(i).operand());
      Cell cell = cells.get(i);
      values.addAll(
          Operands.plain(column)
              .map(plain -> List.of(literal(plain, cell)))
              .orElseGet(() -> literals(cell)));
    }
    if (plan.window().shape() == Shape.HISTORY) {
      values.add(Long.toString(cursor.commitId()));
    }
    if (cursor.identity() instanceof RelationKey key) {
      values.add(SqlText.text(key.left()));
      values.add(SqlText.text(key.right()));
      values.add(SqlText.text(key.instance()));
    } else {
      values.add(SqlText.text(cursor.identity().toString()));
    }
    return values;
  }

  private static String literal(Plain plain, Cell cell) {
    if (!cell.isOrdered()) {
      return NULL;
    }
    return switch (plain.scalar()) {
      case STRING -> text(cell);
      case INSTANT -> "CAST(" + text(cell) + " AS TIMESTAMPTZ)";
      case BOOLEAN -> String.valueOf(cell instanceof Cell.Bool bool && bool.value());
      case DOUBLE -> SqlText.real(cell instanceof Cell.Real real ? real.value() : 0);
      case LONG -> exact(cell, "BIGINT");
      case DECIMAL -> exact(cell, "DECIMAL(38, 18)");
    };
  }

  private static String text(Cell cell) {
    return SqlText.text(cell instanceof Cell.Text text ? text.value() : "");
  }

  private static String exact(Cell cell, String type) {
    String digits = cell instanceof Cell.Exact exact ? exact.value().toPlainString() : "0";
    return "CAST('" + digits + "' AS " + type + ")";
  }

  /** The same parts as {@link #keys(Column)} has for a value in a payload. */
  private static List<String> literals(Cell cell) {
    if (!cell.isOrdered()) {
      return List.of(NULL, NULL, NULL, NULL);
    }
    String rank = Integer.toString(cell.rank());
    if (cell instanceof Cell.Text) {
      return List.of(rank, NULL, NULL, text(cell));
    }
    if (cell instanceof Cell.Bool bool) {
      return List.of(rank, SqlText.real(bool.value() ? 1 : 0), NULL, NULL);
    }
    if (cell instanceof Cell.Real real) {
      String size = SqlText.real(real.value());
      return List.of(rank, size, "TRY_CAST(" + size + " AS HUGEINT)", NULL);
    }
    String whole = exact(cell, "HUGEINT");
    return List.of(rank, "CAST(" + whole + " AS DOUBLE)", whole, NULL);
  }
}
