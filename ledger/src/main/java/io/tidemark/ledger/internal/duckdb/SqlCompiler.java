// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.Trees;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.schema.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes SQL of plans.
 *
 * <p>Rows are {@code q}, the entities at their ends {@code l} and {@code r}, joined from the left
 * so that a row without an end stays. Filters stand behind the join as they are: DuckDB pushes down
 * to files what looks at one of the relations only.
 */
public final class SqlCompiler {

  private static final List<Side> ENDS = List.of(Side.LEFT, Side.RIGHT);

  private final Relations relations;

  public SqlCompiler(Relations relations) {
    this.relations = relations;
  }

  /** The rows of a plan: the columns of the row, and those of its ends if they come along. */
  public String rows(Plan plan) {
    Query query = plan.query();
    List<String> columns = new ArrayList<>(prefixed("q", query.type().kind()));
    for (Side side : ENDS) {
      if (query.ends().contains(side)) {
        columns.addAll(prefixed(Operands.alias(side), Kind.ENTITY));
      }
    }
    OrderSql order = new OrderSql(plan);
    return "SELECT "
        + String.join(", ", columns)
        + from(plan)
        + (query.after().isPresent() ? " AND " + order.after(query.after().get()) : "")
        + " ORDER BY "
        + order.orderBy()
        + (query.limit().isPresent() ? " LIMIT " + query.limit().getAsLong() : "")
        + (query.offset() > 0 ? " OFFSET " + query.offset() : "");
  }

  private static List<String> prefixed(String alias, Kind kind) {
    return RowColumns.common(kind).stream().map(name -> alias + "." + name).toList();
  }

  private static String filter(Plan plan, Filter filter) {
    return new FilterSql(new Operands(plan.binding())).of(filter);
  }

  /** The rows with their ends, and what they are held to. */
  private String from(Plan plan) {
    List<String> conditions = new ArrayList<>();
    String rows;
    if (plan.judgesEndVersions()) {
      rows = judged(plan);
    } else {
      Relations.Place self = relations.place(plan.binding().self(), plan.window(), Keys.of(plan));
      rows = self.from();
      conditions.addAll(self.conditions());
      conditions.add(filter(plan, plan.query().filter()));
    }
    return " FROM "
        + rows
        + " q"
        + joins(plan, plan.window().state(), plan::needsEnd)
        + " WHERE "
        + (conditions.isEmpty() ? "TRUE" : String.join(" AND ", conditions));
  }

  /** Where every version is a row, those are kept for which some version of the ends will do. */
  private String judged(Plan plan) {
    String rows = relations.of(plan.binding().self(), plan.window(), Keys.of(plan));
    Filter filter = plan.query().filter();
    String identity =
        RowColumns.identity(Kind.RELATION).stream()
            .map(name -> "q." + name)
            .collect(Collectors.joining(", "));
    return "(SELECT DISTINCT ON (q."
        + RowColumns.COMMIT_ID
        + ", "
        + identity
        + ") q.* FROM "
        + rows
        + " q"
        + joins(plan, plan.window(), side -> Trees.looksAt(filter, side))
        + " WHERE "
        + filter(plan, filter)
        + ")";
  }

  private String joins(Plan plan, Window window, Predicate<Side> needed) {
    StringBuilder joins = new StringBuilder();
    for (Side side : ENDS) {
      if (needed.test(side)) {
        String alias = Operands.alias(side);
        joins
            .append(" LEFT JOIN ")
            .append(end(plan.binding().ends().get(side), window))
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
        : relations.of(type, window, Keys.ANY);
  }

  /**
   * What a statement about groups answers with: the parts of keys, then those of figures. In no
   * order: sorting the few groups there are takes DuckDB longer than finding them.
   */
  record Groups(String sql, List<FigureSql> keys, List<FigureSql> figures) {}

  Groups groups(Plan plan) {
    Operands operands = new Operands(plan.binding());
    List<FigureSql> keys = new ArrayList<>();
    List<String> by = new ArrayList<>();
    for (Operand operand : plan.grouping().orElseThrow().by()) {
      Column column = operands.column(operand);
      keys.add(key(column));
      by.addAll(OrderSql.keys(column));
    }
    List<FigureSql> figures =
        plan.aggregates().stream().map(each -> FigureSql.of(each, operands)).toList();
    List<String> columns = new ArrayList<>();
    keys.forEach(key -> columns.addAll(key.columns()));
    figures.forEach(figure -> columns.addAll(figure.columns()));
    String sql = "SELECT " + String.join(", ", columns) + from(plan);
    if (!by.isEmpty()) {
      sql += " GROUP BY " + String.join(", ", by);
    }
    return new Groups(sql, keys, figures);
  }

  private static FigureSql key(Column column) {
    return Operands.plain(column)
        .map(
            plain ->
                new FigureSql(
                    List.of(SqlValues.readable(plain.sql(), plain.scalar())),
                    values -> SqlValues.plain(plain.scalar(), values.get(0))))
        .orElseGet(() -> new FigureSql(OrderSql.keys(column), SqlValues::ordered));
  }
}
