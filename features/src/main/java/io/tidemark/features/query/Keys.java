// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import java.util.ArrayList;
import java.util.List;

/**
 * The columns that features are ordered by. Together they are different for any two rows of a
 * collection, and between collections their numbers decide; so every place between two rows can be
 * named by the values of the one before it.
 *
 * @param columns in order of weight
 * @param descending whether large values come first
 */
record Keys(List<Column> columns, boolean descending) {

  /**
   * A column.
   *
   * @param name what it is called in the answer
   * @param type its type, by which a value can be given as text
   * @param value what is in it
   */
  record Column(String name, String type, SqlText value) {}

  private static final Column ID = new Column("k_id", "text", SqlText.of(FilterSql.ID));
  private static final Column TXN =
      new Column("k_txn", "bigint", SqlText.of("coalesce(%s, 0)".formatted(FilterSql.TXN)));
  private static final Column ROW = new Column("k_i", "bigint", SqlText.of("h.i"));

  static Keys of(Order order, States states) {
    List<Column> columns = new ArrayList<>();
    if (order.by() instanceof Order.ByField by) {
      columns.addAll(values(FilterSql.value(by.field()), order.isDescending()));
    }
    if (order.by() instanceof Order.ByRow) {
      columns.add(ROW);
    } else {
      columns.add(ID);
      if (states instanceof States.All) {
        columns.add(TXN);
        columns.add(ROW);
      }
    }
    return new Keys(columns, order.isDescending());
  }

  /** No order at all. */
  static Keys none() {
    return new Keys(List.of(), false);
  }

  /** First the type, then what can be compared in it. */
  private static List<Column> values(SqlText value, boolean descending) {
    SqlText type = SqlText.of("jsonb_typeof(").then(value).then(")");
    SqlText rank =
        SqlText.of("CASE ")
            .then(type)
            .then(" WHEN 'number' THEN 0 WHEN 'string' THEN 1 WHEN 'boolean' THEN 2")
            .then(
                " WHEN 'array' THEN 3 WHEN 'object' THEN 3 ELSE %d END"
                    .formatted(descending ? -1 : 4));
    SqlText number =
        SqlText.of("CASE ")
            .then(type)
            .then(" WHEN 'number' THEN (")
            .then(value)
            .then(" #>> '{}')::numeric ELSE 0 END");
    SqlText text =
        SqlText.of("(CASE WHEN ")
            .then(type)
            .then(" IN ('string', 'boolean') THEN ")
            .then(value)
            .then(" #>> '{}' ELSE '' END) COLLATE \"C\"");
    return List.of(
        new Column("k_rank", "int", rank),
        new Column("k_number", "numeric", number),
        new Column("k_text", "text", text));
  }

  /** The columns of an answer. */
  SqlText selected() {
    SqlText all = SqlText.of("");
    for (Column column : columns) {
      all = all.then(", ").then(column.value()).then(" AS " + column.name());
    }
    return all;
  }

  /** How an answer, or its parts, are sorted by them. */
  String sorted(String last) {
    List<String> names = new ArrayList<>();
    String way = descending ? " DESC" : "";
    columns.forEach(c -> names.add(c.name() + way));
    if (!last.isEmpty()) {
      names.add(last + way);
    }
    return names.isEmpty() ? "" : " ORDER BY " + String.join(", ", names);
  }

  /**
   * That a row comes after a place.
   *
   * @param place the values of the row before it
   * @param or what counts as after for a row of the same values
   */
  SqlText after(List<String> place, Ties or) {
    String operator = (descending ? "<" : ">") + (or == Ties.AFTER ? "=" : "");
    List<SqlText> given = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      given.add(SqlText.of("?::text::" + columns.get(i).type(), place.get(i)));
    }
    return SqlText.join(", ", columns.stream().map(Column::value).toList())
        .bracketed()
        .then(" %s ".formatted(operator))
        .then(SqlText.join(", ", given).bracketed());
  }

  /** Whether a row with the same values comes after, because its collection does. */
  enum Ties {
    AFTER,
    BEFORE
  }
}
