// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.And;
import io.tidemark.ledger.query.model.Filter.Any;
import io.tidemark.ledger.query.model.Filter.Not;
import io.tidemark.ledger.query.model.Filter.Or;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.Trees;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Filters as SQL that is true, false and null exactly where the filter is true, false, unknown. */
final class FilterSql {

  /** No field can have this name. */
  private static final String ITEM = "\"$item\"";

  private final Operands operands;

  FilterSql(Operands operands) {
    this.operands = operands;
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
    Column column = operands.column(Trees.operand(leaf));
    String sql =
        Operands.plain(column)
            .map(plain -> PlainLeaf.of(leaf, plain, column))
            .orElseGet(() -> JsonLeaf.of(leaf, Operands.json(column)));
    return column.side() == Side.SELF || PlainLeaf.isUnknownOfNull(leaf)
        ? sql
        : "(CASE WHEN "
            + Operands.alias(column.side())
            + "."
            + RowColumns.ENTITY_KEY
            + " IS NOT NULL THEN "
            + sql
            + " END)";
  }

  private String any(Any any) {
    Column column = operands.column(any.list());
    Json list = Operands.json(column);
    String items = "json_extract(" + list.source() + ", " + SqlText.items(list.path()) + ")";
    String condition =
        of(
            any.item(),
            leaf -> {
              Operand operand = Trees.operand(leaf);
              return JsonLeaf.of(leaf, new Json(ITEM, ((FieldPath) operand).segments()));
            });
    return "(len(list_filter(" + items + ", lambda " + ITEM + ": " + condition + ")) > 0)";
  }
}
