// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.duckdb.SqlQuoting;
import io.tidemark.ledger.query.plan.CancellationToken;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Statement in a sandbox of this process. */
final class LocalRun implements SqlRun {

  /** Characters that may be behind a statement, and not inside of brackets. */
  private static final String BEHIND = "; \t\n\u000B\f\r";

  private final Sandbox sandbox;
  private final String text;
  private final SqlLimits limits;
  private final CancellationToken cancellationToken;
  private Optional<StatementTimeout> time = Optional.empty();

  private LocalRun(
      Sandbox sandbox, String text, SqlLimits limits, CancellationToken cancellationToken) {
    this.sandbox = sandbox;
    this.text = text;
    this.limits = limits;
    this.cancellationToken = cancellationToken;
  }

  /** Opens a sandbox for a statement. */
  static LocalRun of(String text, SqlLimits limits, Path spill, CancellationToken cancellationToken)
      throws SQLException {
    return new LocalRun(Sandbox.open(spill, limits), text, limits, cancellationToken);
  }

  SqlLimits limits() {
    return limits;
  }

  @Override
  public CheckedSql check() throws SQLException {
    return CheckedSql.of(sandbox.connection(), text);
  }

  @Override
  public Rows execute(Tables tables) throws SQLException {
    lock(tables, tables.files());
    return LargeStackThread.call(
        () -> {
          prepare(text).close(); // tells mistakes at their place
          PreparedStatement statement = prepare(bounded());
          bind(statement, tables.parameters());
          return new ResultRows(run(statement, PreparedStatement::executeQuery));
        });
  }

  @Override
  public String explain(Tables tables) throws SQLException {
    lock(tables, tables.files());
    return LargeStackThread.call(
        () -> {
          prepare(text).close(); // tells mistakes at their place
          StringBuilder steps = new StringBuilder();
          try (PreparedStatement statement = prepare("EXPLAIN " + query())) {
            bind(statement, tables.parameters());
            try (ResultSet result = run(statement, PreparedStatement::executeQuery)) {
              while (result.next()) {
                steps.append(result.getString(2));
              }
            }
          }
          return steps.toString();
        });
  }

  @Override
  public long copy(Tables tables, Path file) throws SQLException {
    Set<Path> files = new HashSet<>(tables.files());
    files.add(file);
    lock(tables, files);
    String target = SqlQuoting.text(file.toString());
    return LargeStackThread.call(
        () -> {
          try (PreparedStatement statement =
              prepare("COPY (" + bounded() + ") TO " + target + " (FORMAT parquet)")) {
            bind(statement, tables.parameters());
            long rows = run(statement, PreparedStatement::executeLargeUpdate);
            if (rows > limits.rows()) {
              throw SqlLimitException.rows(limits);
            }
            return rows;
          }
        });
  }

  private void lock(Tables tables, Set<Path> files) throws SQLException {
    sandbox.prepare(tables.tables());
    sandbox.lock(files);
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    return sandbox.connection().prepareStatement(sql);
  }

  /**
   * Returns the text without what is behind its statement. The text was found to be one SELECT
   * before, so that brackets hold it.
   */
  private String query() {
    int end = text.length();
    while (end > 0 && BEHIND.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(0, end);
  }

  /** Returns the query with one row more than it may have, by which it is known to have more. */
  private String bounded() {
    return limits.rows() == Long.MAX_VALUE
        ? query()
        : "SELECT * FROM (" + query() + "\n) LIMIT " + (limits.rows() + 1);
  }

  private interface Execution<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  private <T> T run(PreparedStatement statement, Execution<T> execution) throws SQLException {
    StatementTimeout alarm = StatementTimeout.on(statement, limits.time());
    time = Optional.of(alarm);
    try (CancellationToken.Registration unused = cancellationToken.register(statement)) {
      return execution.of(statement);
    } catch (SQLException e) {
      cancellationToken.throwIfCancelled();
      if (alarm.hasEnded()) {
        throw alarm.exceeded();
      }
      throw e;
    }
  }

  private static void bind(PreparedStatement statement, List<JsonNode> parameters)
      throws SQLException {
    for (int i = 0; i < parameters.size(); i++) {
      JsonNode value = parameters.get(i);
      int place = i + 1;
      if (value.isNull()) {
        statement.setObject(place, null);
      } else if (value.isBoolean()) {
        statement.setBoolean(place, value.booleanValue());
      } else if (value.isIntegralNumber() && value.canConvertToLong()) {
        statement.setLong(place, value.longValue());
      } else if (value.isNumber()) {
        statement.setBigDecimal(place, value.decimalValue());
      } else if (value.isTextual()) {
        statement.setString(place, value.textValue());
      } else {
        throw new InvalidSqlException(
            "parameter " + place + " is " + value + "; give text, a number, true, false or null");
      }
    }
  }

  /** All rows are there before the first is read: while rows are streamed nothing can be ended. */
  private final class ResultRows implements Rows {

    private final ResultSet result;
    private final List<SqlResult.Column> columns;

    ResultRows(ResultSet result) throws SQLException {
      this.result = result;
      this.columns = named(result.getMetaData());
    }

    @Override
    public List<SqlResult.Column> columns() {
      return columns;
    }

    @Override
    public Optional<List<JsonNode>> next() throws SQLException {
      cancellationToken.throwIfCancelled();
      if (time.isPresent() && time.get().hasEnded()) {
        throw time.get().exceeded();
      }
      if (!result.next()) {
        return Optional.empty();
      }
      List<JsonNode> row = new ArrayList<>(columns.size());
      for (int i = 1; i <= columns.size(); i++) {
        row.add(SqlJsonEncoder.json(result.getObject(i)));
      }
      return Optional.of(row);
    }
  }

  private static List<SqlResult.Column> named(ResultSetMetaData told) throws SQLException {
    List<SqlResult.Column> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 1; i <= told.getColumnCount(); i++) {
      String name = told.getColumnName(i);
      String free = name;
      for (int n = 1; !names.add(free); n++) {
        free = name + "_" + n;
      }
      columns.add(new SqlResult.Column(free, told.getColumnTypeName(i)));
    }
    return List.copyOf(columns);
  }

  @Override
  public void close() {
    time.ifPresent(StatementTimeout::close);
    sandbox.close();
  }
}
