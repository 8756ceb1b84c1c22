// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.And;
import io.tidemark.ledger.query.model.Filter.Any;
import io.tidemark.ledger.query.model.Filter.Not;
import io.tidemark.ledger.query.model.Filter.Or;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Side;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * SQL of filters, which is true, false and null exactly where the filter is true, false and
 * unknown.
 */
final class FilterSql {

  /** Name of a list's item, which no field can have. */
  private static final String ITEM = "\"$item\"";

  private final OperandSql operandSql;

  FilterSql(OperandSql operandSql) {
    this.operandSql = operandSql;
  }

  String of(Filter filter) {
    return of(filter, this::leaf);
  }

  private static String of(Filter filter, Function<Filter, String> leaf) {
    if (filter instanceof And and) {
      return joined(and.parts(), " AND ", "TRUE", leaf);
    }
    if (filter instanceof Or or) {
      return joined(or.parts(), " OR ", "FALSE", leaf);
    }
    return filter instanceof Not not ? "(NOT " + of(not.part(), leaf) + ")" : leaf.apply(filter);
  }

  private static String joined(
      List<Filter> parts, String word, String none, Function<Filter, String> leaf) {
    return parts.isEmpty()
        ? none
        : parts.stream().map(part -> of(part, leaf)).collect(Collectors.joining(word, "(", ")"));
  }

  private String leaf(Filter leaf) {
    if (leaf instanceof Any any) {
      return any(any);
    }
    Column column = operandSql.column(FilterTrees.operand(leaf));
    String sql =
        OperandSql.plain(column)
            .map(plainColumn -> ColumnConditionSql.of(leaf, plainColumn, column))
            .orElseGet(() -> JsonConditionSql.of(leaf, OperandSql.json(column)));
    return column.side() == Side.SELF || ColumnConditionSql.isUnknownOfNull(leaf)
        ? sql
        : "(CASE WHEN "
            + OperandSql.alias(column.side())
            + "."
            + RowColumns.ENTITY_KEY
            + " IS NOT NULL THEN "
            + sql
            + " END)";
  }

  private String any(Any any) {
    Column column = operandSql.column(any.list());
    JsonValueSql list = OperandSql.json(column);
    String items = "json_extract(" + list.source() + ", " + SqlQuoting.items(list.path()) + ")";
    String condition =
        of(
            any.item(),
            leaf -> {
              Operand operand = FilterTrees.operand(leaf);
              return JsonConditionSql.of(
                  leaf, new JsonValueSql(ITEM, ((FieldPath) operand).segments()));
            });
    return "(len(list_filter(" + items + ", lambda " + ITEM + ": " + condition + ")) > 0)";
  }
}
