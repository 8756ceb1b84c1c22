// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import java.util.ArrayList;
import java.util.List;

/**
 * Sort columns of a query. Together they differ for any two rows of a collection, and between
 * collections the numbers of these decide. So every place between two rows can be named by the
 * values of the one before it.
 *
 * @param columns in order of weight
 * @param descending whether large values come first
 */
record SortKeys(List<Column> columns, boolean descending) {

  /**
   * A sort column.
   *
   * @param name its name in the answer
   * @param type its type, to which a text is cast
   * @param value its expression
   */
  record Column(String name, String type, SqlFragment value) {}

  private static final Column ID = new Column("k_id", "text", SqlFragment.of(FeatureFilterSql.ID));
  private static final Column TXN =
      new Column(
          "k_txn", "bigint", SqlFragment.of("coalesce(%s, 0)".formatted(FeatureFilterSql.TXN)));
  private static final Column ROW = new Column("k_i", "bigint", SqlFragment.of("h.i"));

  static SortKeys of(FeatureOrder featureOrder, StateSelection stateSelection) {
    List<Column> columns = new ArrayList<>();
    if (featureOrder.by() instanceof FeatureOrder.ByField by) {
      columns.addAll(values(FeatureFilterSql.value(by.field()), featureOrder.isDescending()));
    }
    if (featureOrder.by() instanceof FeatureOrder.ByRow) {
      columns.add(ROW);
    } else {
      columns.add(ID);
      if (stateSelection instanceof StateSelection.All) {
        columns.add(TXN);
        columns.add(ROW);
      }
    }
    return new SortKeys(columns, featureOrder.isDescending());
  }

  /** Returns keys without any order. */
  static SortKeys none() {
    return new SortKeys(List.of(), false);
  }

  /** Returns the columns for a value: first its type, then its comparable value. */
  private static List<Column> values(SqlFragment value, boolean descending) {
    SqlFragment type = SqlFragment.of("jsonb_typeof(").then(value).then(")");
    SqlFragment rank =
        SqlFragment.of("CASE ")
            .then(type)
            .then(" WHEN 'number' THEN 0 WHEN 'string' THEN 1 WHEN 'boolean' THEN 2")
            .then(
                " WHEN 'array' THEN 3 WHEN 'object' THEN 3 ELSE %d END"
                    .formatted(descending ? -1 : 4));
    SqlFragment number =
        SqlFragment.of("CASE ")
            .then(type)
            .then(" WHEN 'number' THEN (")
            .then(value)
            .then(" #>> '{}')::numeric ELSE 0 END");
    SqlFragment text =
        SqlFragment.of("(CASE WHEN ")
            .then(type)
            .then(" IN ('string', 'boolean') THEN ")
            .then(value)
            .then(" #>> '{}' ELSE '' END) COLLATE \"C\"");
    return List.of(
        new Column("k_rank", "int", rank),
        new Column("k_number", "numeric", number),
        new Column("k_text", "text", text));
  }

  /** Returns the columns of an answer. */
  SqlFragment selected() {
    SqlFragment all = SqlFragment.of("");
    for (Column column : columns) {
      all = all.then(", ").then(column.value()).then(" AS " + column.name());
    }
    return all;
  }

  /** Returns the ORDER BY clause for an answer or its parts. */
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
   * Returns the condition that a row comes after a place.
   *
   * @param place the values of the row before it
   * @param or order of rows with the same values
   */
  SqlFragment after(List<String> place, TieOrder or) {
    String operator = (descending ? "<" : ">") + (or == TieOrder.AFTER ? "=" : "");
    List<SqlFragment> given = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      given.add(SqlFragment.of("?::text::" + columns.get(i).type(), place.get(i)));
    }
    return SqlFragment.join(", ", columns.stream().map(Column::value).toList())
        .bracketed()
        .then(" %s ".formatted(operator))
        .then(SqlFragment.join(", ", given).bracketed());
  }

  /** Order of a row with the same values, which its collection decides. */
  enum TieOrder {
    AFTER,
    BEFORE
  }
}
