// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compiler of plans to SQL.
 *
 * <p>Rows are {@code q}, the entities at their ends {@code l} and {@code r}, joined from the left
 * so that a row without an end stays. Filters follow the join unchanged: DuckDB pushes down to
 * files those on one of the relations only.
 */
public final class SqlCompiler {

  private static final List<Side> ENDS = List.of(Side.LEFT, Side.RIGHT);

  private final SqlRowSource sqlRowSource;

  public SqlCompiler(SqlRowSource sqlRowSource) {
    this.sqlRowSource = sqlRowSource;
  }

  /**
   * Returns the SQL of a plan's rows: the columns of the row, and those of its ends if requested.
   */
  public String rows(QueryPlan queryPlan) {
    Query query = queryPlan.query();
    List<String> columns = new ArrayList<>(prefixed("q", query.type().kind()));
    for (Side side : ENDS) {
      if (query.ends().contains(side)) {
        columns.addAll(prefixed(OperandSql.alias(side), TypeKind.ENTITY));
      }
    }
    OrderSql order = new OrderSql(queryPlan);
    return "SELECT "
        + String.join(", ", columns)
        + from(queryPlan)
        + (query.after().isPresent() ? " AND " + order.after(query.after().get()) : "")
        + " ORDER BY "
        + order.orderBy()
        + (query.limit().isPresent() ? " LIMIT " + query.limit().getAsLong() : "")
        + (query.offset() > 0 ? " OFFSET " + query.offset() : "");
  }

  private static List<String> prefixed(String alias, TypeKind typeKind) {
    return RowColumns.common(typeKind).stream().map(name -> alias + "." + name).toList();
  }

  private static String filter(QueryPlan queryPlan, Filter filter) {
    return new FilterSql(new OperandSql(queryPlan.binding())).of(filter);
  }

  /** Returns the SQL of the rows with their ends, and of their conditions. */
  private String from(QueryPlan queryPlan) {
    List<String> conditions = new ArrayList<>();
    String rows;
    if (queryPlan.filtersEndVersions()) {
      rows = judged(queryPlan);
    } else {
      SqlRowSource.FromClause self =
          sqlRowSource.fromClause(
              queryPlan.binding().self(), queryPlan.window(), KeyFilter.of(queryPlan));
      rows = self.from();
      conditions.addAll(self.conditions());
      conditions.add(filter(queryPlan, queryPlan.query().filter()));
    }
    return " FROM "
        + rows
        + " q"
        + joins(queryPlan, queryPlan.window().state(), queryPlan::needsEnd)
        + " WHERE "
        + (conditions.isEmpty() ? "TRUE" : String.join(" AND ", conditions));
  }

  /**
   * Returns the SQL for histories, which keeps a version if some version of the ends meets the
   * filter.
   */
  private String judged(QueryPlan queryPlan) {
    String rows =
        sqlRowSource.relation(
            queryPlan.binding().self(), queryPlan.window(), KeyFilter.of(queryPlan));
    Filter filter = queryPlan.query().filter();
    String identity =
        RowColumns.identity(TypeKind.RELATION).stream()
            .map(name -> "q." + name)
            .collect(Collectors.joining(", "));
    return "(SELECT DISTINCT ON (q."
        + RowColumns.COMMIT_ID
        + ", "
        + identity
        + ") q.* FROM "
        + rows
        + " q"
        + joins(queryPlan, queryPlan.window(), side -> FilterTrees.references(filter, side))
        + " WHERE "
        + filter(queryPlan, filter)
        + ")";
  }

  private String joins(QueryPlan queryPlan, Window window, Predicate<Side> needed) {
    StringBuilder joins = new StringBuilder();
    for (Side side : ENDS) {
      if (needed.test(side)) {
        String alias = OperandSql.alias(side);
        joins
            .append(" LEFT JOIN ")
            .append(end(queryPlan.binding().ends().get(side), window))
            .append(' ')
            .append(alias)
            .append(" ON " + alias + "." + RowColumns.ENTITY_KEY + " = q.")
            .append(side == Side.LEFT ? RowColumns.LEFT_KEY : RowColumns.RIGHT_KEY);
      }
    }
    return joins.toString();
  }

  private String end(@Nullable TypeView type, Window window) {
    return type == null
        ? "(SELECT CAST(NULL AS BIGINT) AS commit_id, CAST(NULL AS VARCHAR) AS entity_key,"
            + " CAST(NULL AS BIGINT) AS schema_version_id, CAST(NULL AS VARCHAR) AS fields_json"
            + " WHERE FALSE)"
        : sqlRowSource.relation(type, window, KeyFilter.ANY);
  }

  /**
   * Statement about groups. It returns the parts of keys, then those of aggregates, in no order:
   * sorting the few groups there are takes DuckDB longer than finding them.
   */
  record Groups(String sql, List<AggregateSql> keys, List<AggregateSql> figures) {}

  Groups groups(QueryPlan queryPlan) {
    OperandSql operandSql = new OperandSql(queryPlan.binding());
    List<AggregateSql> keys = new ArrayList<>();
    List<String> by = new ArrayList<>();
    for (Operand operand : queryPlan.grouping().orElseThrow().by()) {
      Column column = operandSql.column(operand);
      keys.add(key(column));
      by.addAll(OrderSql.keys(column));
    }
    List<AggregateSql> figures =
        queryPlan.aggregates().stream().map(each -> AggregateSql.of(each, operandSql)).toList();
    List<String> columns = new ArrayList<>();
    keys.forEach(key -> columns.addAll(key.columns()));
    figures.forEach(figure -> columns.addAll(figure.columns()));
    String sql = "SELECT " + String.join(", ", columns) + from(queryPlan);
    if (!by.isEmpty()) {
      sql += " GROUP BY " + String.join(", ", by);
    }
    return new Groups(sql, keys, figures);
  }

  private static AggregateSql key(Column column) {
    return OperandSql.plain(column)
        .map(
            plainColumn ->
                new AggregateSql(
                    List.of(CellReader.readable(plainColumn.sql(), plainColumn.scalar())),
                    values -> CellReader.plain(plainColumn.scalar(), values.get(0))))
        .orElseGet(() -> new AggregateSql(OrderSql.keys(column), CellReader::ordered));
  }
}
