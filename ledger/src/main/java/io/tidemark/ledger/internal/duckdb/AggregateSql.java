// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.OperandSql.PlainColumn;
import io.tidemark.ledger.internal.plan.Cell;
import io.tidemark.ledger.internal.plan.Column;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Aggregate.AvgLen;
import io.tidemark.ledger.query.model.Aggregate.CountWhere;
import io.tidemark.ledger.query.model.Aggregate.Function;
import io.tidemark.ledger.query.model.Aggregate.OfValues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregate as the columns from which it is computed.
 *
 * @param columns SQL expressions
 * @param reader computes the aggregate from their values; a struct counts as the values in it
 */
record AggregateSql(List<String> columns, Reader reader) {

  /** Reader of a value from those of some columns. */
  interface Reader {
    Cell read(List<@Nullable Object> values);
  }

  static AggregateSql of(Aggregate aggregate, OperandSql operandSql) {
    if (aggregate instanceof CountWhere where) {
      String condition = new FilterSql(operandSql).of(where.filter());
      return count("count(*) FILTER (WHERE " + condition + ")");
    }
    if (aggregate instanceof AvgLen length) {
      String size = OperandSql.json(operandSql.column(length.list())).length();
      return adding(Function.AVG, "sum(" + size + ")", NONE, NONE, "count(" + size + ")");
    }
    if (aggregate instanceof OfValues of) {
      Column column = operandSql.column(of.operand());
      return of.function() == Function.SUM || of.function() == Function.AVG
          ? sum(of.function(), column)
          : extreme(of.function() == Function.MIN ? "min" : "max", column);
    }
    return count("count(*)");
  }

  private static final String NONE = "NULL";

  private static AggregateSql count(String sql) {
    return new AggregateSql(List.of(sql), values -> CellReader.exact(values.get(0)));
  }

  /**
   * Returns the SQL of a sum. Exact numbers are added exactly: decimals in two parts, since their
   * sum may be too long.
   */
  private static AggregateSql sum(Function function, Column column) {
    if (OperandSql.plain(column).isEmpty()) {
      JsonValueSql jsonValueSql = OperandSql.json(column);
      return adding(
          function,
          "sum(" + jsonValueSql.exact() + ")",
          NONE,
          "sum(" + jsonValueSql.real() + ")",
          "count(" + jsonValueSql.number() + ")");
    }
    PlainColumn plainColumn = OperandSql.plain(column).get();
    String value = plainColumn.sql();
    String count = "count(" + value + ")";
    return switch (plainColumn.scalar()) {
      case LONG -> adding(function, "sum(" + value + ")", NONE, NONE, count);
      case DOUBLE -> adding(function, NONE, NONE, "sum(" + value + ")", count);
      case DECIMAL ->
          adding(
              function,
              "sum(CAST(trunc(" + value + ") AS HUGEINT))",
              "sum(" + value + " - trunc(" + value + "))",
              NONE,
              count);
      default -> adding(function, NONE, NONE, NONE, "count(NULL)");
    };
  }

  private static AggregateSql adding(
      Function function, String whole, String fraction, String real, String count) {
    List<String> parts = List.of(whole, fraction, real, count);
    List<String> columns = parts.stream().filter(part -> !part.equals(NONE)).toList();
    return new AggregateSql(columns, values -> CellReader.total(function, placed(parts, values)));
  }

  /** Returns values of the requested parts, and null for the missing ones. */
  private static List<@Nullable Object> placed(List<String> parts, List<@Nullable Object> values) {
    List<@Nullable Object> placed = new ArrayList<>();
    int next = 0;
    for (String part : parts) {
      placed.add(part.equals(NONE) ? null : values.get(next++));
    }
    return placed;
  }

  private static AggregateSql extreme(String function, Column column) {
    if (OperandSql.plain(column).isPresent()) {
      PlainColumn plainColumn = OperandSql.plain(column).get();
      String sql =
          CellReader.readable(function + "(" + plainColumn.sql() + ")", plainColumn.scalar());
      return new AggregateSql(
          List.of(sql), values -> CellReader.plain(plainColumn.scalar(), values.get(0)));
    }
    JsonValueSql jsonValueSql = OperandSql.json(column);
    String least =
        function
            + "({'a': "
            + jsonValueSql.rank()
            + ", 'b': "
            + jsonValueSql.size()
            + ", 'c': "
            + jsonValueSql.whole()
            + ", 'd': "
            + jsonValueSql.text()
            + ", 'e': "
            + jsonValueSql.isReal()
            + "}) FILTER (WHERE "
            + jsonValueSql.rank()
            + " IS NOT NULL)";
    // As a whole: DuckDB would plan it five times if each part of it were named.
    return new AggregateSql(List.of(least), CellReader::extreme);
  }
}
