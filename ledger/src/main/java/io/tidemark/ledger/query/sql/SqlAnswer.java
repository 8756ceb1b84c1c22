// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.sql;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.query.plan.Stop;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a statement answers with. All rows are there before the first is read, no more of them than
 * the limit: while rows are streamed, the driver can't be told to stop. For one thread; the caller
 * closes it.
 *
 * <p>A column whose name another has, too, gets {@code _1} and so on behind it.
 */
public final class SqlAnswer implements AutoCloseable {

  private final Sandbox sandbox;
  private final TimeLimit time;
  private final SqlLimits limits;
  private final Stop stop;
  private final ResultSet result;
  private final List<Column> columns;
  private final long commitId;
  private long read;

  /** A column, and its type as DuckDB calls it. */
  public record Column(String name, String type) {}

  private SqlAnswer(
      Sandbox sandbox, TimeLimit time, SqlLimits limits, Stop stop, ResultSet result, long commitId)
      throws SQLException {
    this.sandbox = sandbox;
    this.time = time;
    this.limits = limits;
    this.stop = stop;
    this.result = result;
    this.columns = columns(result.getMetaData());
    this.commitId = commitId;
  }

  static SqlAnswer of(
      Sandbox sandbox, PreparedStatement statement, SqlLimits limits, Stop stop, long commitId) {
    TimeLimit time = TimeLimit.on(statement, limits.time());
    try (Stop.Running unused = stop.running(statement)) {
      return new SqlAnswer(sandbox, time, limits, stop, statement.executeQuery(), commitId);
    } catch (SQLException e) {
      time.close();
      stop.check();
      throw time.hasEnded() ? time.exceeded() : SqlFailures.of(e, limits);
    } catch (RuntimeException e) { // it was ended before it began
      time.close();
      throw e;
    }
  }

  private static List<Column> columns(ResultSetMetaData told) throws SQLException {
    List<Column> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 1; i <= told.getColumnCount(); i++) {
      String name = told.getColumnName(i);
      String free = name;
      for (int n = 1; !names.add(free); n++) {
        free = name + "_" + n;
      }
      columns.add(new Column(free, told.getColumnTypeName(i)));
    }
    return List.copyOf(columns);
  }

  public List<Column> columns() {
    return columns;
  }

  /** As of which commit. */
  public long commitId() {
    return commitId;
  }

  /** The values of the next row, in the order of the columns; empty at the end. */
  public Optional<List<JsonNode>> next() {
    stop.check();
    if (time.hasEnded()) {
      throw time.exceeded();
    }
    try {
      if (!result.next()) {
        return Optional.empty();
      }
      if (read++ == limits.rows()) {
        throw new SqlLimitException(
            "the statement answers with more than "
                + limits.rows()
                + " rows; add a LIMIT, or raise the limit on rows");
      }
      List<JsonNode> row = new ArrayList<>(columns.size());
      for (int i = 1; i <= columns.size(); i++) {
        row.add(SqlValue.json(result.getObject(i)));
      }
      return Optional.of(row);
    } catch (SQLException e) {
      throw SqlFailures.of(e, limits);
    }
  }

  @Override
  public void close() {
    time.close();
    sandbox.close();
  }
}
