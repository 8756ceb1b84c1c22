// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.ledger.Identity;
import io.tidemark.ledger.Identity.EntityKey;
import io.tidemark.ledger.Identity.RelationKey;
import io.tidemark.ledger.Row;
import io.tidemark.ledger.query.model.Query.Ends;
import io.tidemark.ledger.query.plan.Found;
import io.tidemark.ledger.query.plan.Plan;
import io.tidemark.ledger.schema.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Rows as DuckDB hands them out, so that an answer needn't fit into memory. One is read ahead:
 * since rows are sorted, the first is there when all files have been read and most of what can go
 * wrong has.
 */
final class RowStream extends Spliterators.AbstractSpliterator<Found> {

  private final Connection connection;
  private final ResultSet result;
  private final Kind kind;
  private final boolean ends;
  private Optional<Found> next = Optional.empty();

  private RowStream(Connection connection, ResultSet result, Plan plan) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.connection = connection;
    this.result = result;
    this.kind = plan.query().type().kind();
    this.ends = plan.query().ends() == Ends.BROUGHT_ALONG;
  }

  /** Runs a statement; the connection is closed with the stream. */
  static Stream<Found> open(Connection connection, String sql, Plan plan) throws SQLException {
    try {
      Statement statement = connection.createStatement();
      RowStream rows = new RowStream(connection, statement.executeQuery(sql), plan);
      rows.advance();
      return StreamSupport.stream(rows, false).onClose(rows::close);
    } catch (SQLException e) {
      SQLException cause = Cause.of(e, connection, sql);
      connection.close();
      throw cause;
    }
  }

  @Override
  public boolean tryAdvance(Consumer<? super Found> action) {
    if (next.isEmpty()) {
      return false;
    }
    Found found = next.get();
    try {
      advance();
    } catch (SQLException e) {
      throw new QueryFailedException(e);
    }
    action.accept(found);
    return true;
  }

  private void advance() throws SQLException {
    next = result.next() ? Optional.of(read()) : Optional.empty();
  }

  private Found read() throws SQLException {
    Row row = row(1, kind).orElseThrow();
    int left = 1 + RowColumns.common(kind).size();
    int right = left + RowColumns.common(Kind.ENTITY).size();
    return ends
        ? new Found(row, row(left, Kind.ENTITY), row(right, Kind.ENTITY))
        : new Found(row, Optional.empty(), Optional.empty());
  }

  /** The row in these columns; empty when there is none at that end. */
  private Optional<Row> row(int first, Kind of) throws SQLException {
    int column = first;
    long commitId = result.getLong(column++);
    String key = result.getString(column++);
    if (key == null) {
      return Optional.empty();
    }
    Identity identity =
        of == Kind.ENTITY
            ? new EntityKey(key)
            : new RelationKey(key, result.getString(column++), instance(column++));
    long version = result.getLong(column++);
    return Optional.of(new Row(commitId, identity, version, result.getString(column)));
  }

  /** Other writers may leave it out. */
  private String instance(int column) throws SQLException {
    return Optional.ofNullable(result.getString(column)).orElse("");
  }

  private void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new QueryFailedException(e);
    }
  }
}
