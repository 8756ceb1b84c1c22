// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.DuckDbSession.Size;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.objects.internal.json.FiniteJson;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Stream of rows from DuckDB, so that an answer needn't fit into memory. One row is read ahead:
 * since rows are sorted, the first is available when all files have been read and most possible
 * failures have occurred.
 */
final class RowStream extends Spliterators.AbstractSpliterator<MatchedRow> {

  private final DuckDbSession duckDbSession;
  private final ResultRows rows;
  private final TypeKind typeKind;
  private final Set<Side> ends;
  private Optional<MatchedRow> next = Optional.empty();

  private RowStream(DuckDbSession duckDbSession, ResultRows rows, QueryPlan queryPlan) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.duckDbSession = duckDbSession;
    this.rows = rows;
    this.typeKind = queryPlan.query().type().kind();
    this.ends = queryPlan.query().ends();
  }

  /** Runs a statement; the session is closed with the stream. */
  static Stream<MatchedRow> open(
      DuckDbSession duckDbSession, String sql, QueryPlan queryPlan, Size size) throws SQLException {
    try {
      RowStream rows = new RowStream(duckDbSession, duckDbSession.rows(sql, size), queryPlan);
      rows.advance();
      return StreamSupport.stream(rows, false).onClose(rows::close);
    } catch (SQLException e) {
      SQLException cause = duckDbSession.cause(e, sql);
      duckDbSession.markBroken();
      duckDbSession.close();
      throw cause;
    } catch (RuntimeException e) {
      duckDbSession.markBroken();
      duckDbSession.close();
      throw e;
    }
  }

  @Override
  public boolean tryAdvance(Consumer<? super MatchedRow> action) {
    if (next.isEmpty()) {
      return false;
    }
    MatchedRow matchedRow = next.get();
    try {
      advance();
    } catch (SQLException e) {
      duckDbSession.markBroken();
      throw new QueryFailedException(e);
    }
    action.accept(matchedRow);
    return true;
  }

  /**
   * Reads the next row. The driver has an exception of its own for a connection that was closed
   * while columns are read.
   */
  private void advance() throws SQLException {
    try {
      next = rows.next() ? Optional.of(read()) : Optional.empty();
    } catch (RuntimeException e) {
      throw new SQLException("the answer broke off: " + e.getMessage(), e);
    }
  }

  private MatchedRow read() throws SQLException {
    Row row = row(1, typeKind).orElseThrow();
    int left = 1 + RowColumns.common(typeKind).size();
    int right = ends.contains(Side.LEFT) ? left + RowColumns.common(TypeKind.ENTITY).size() : left;
    return new MatchedRow(row, end(Side.LEFT, left), end(Side.RIGHT, right));
  }

  private Optional<Row> end(Side side, int first) throws SQLException {
    return ends.contains(side) ? row(first, TypeKind.ENTITY) : Optional.empty();
  }

  /** Returns the row in these columns, or empty if there is none at that end. */
  private Optional<Row> row(int first, TypeKind of) throws SQLException {
    int column = first;
    long commitId = rows.number(column++);
    if (rows.isNull(column)) {
      return Optional.empty();
    }
    String key = rows.text(column++);
    Identity identity =
        of == TypeKind.ENTITY
            ? new EntityKey(key)
            : new RelationKey(key, rows.text(column++), rows.text(column++));
    long version = rows.number(column++);
    return Optional.of(new Row(commitId, identity, version, FiniteJson.of(rows.text(column))));
  }

  /**
   * Closes the answer. One that isn't read to its end would continue in a session that is reused.
   */
  private void close() {
    if (next.isPresent()) {
      duckDbSession.markBroken();
    }
    try (DuckDbSession ended = duckDbSession) {
      closeRows();
    } catch (SQLException e) {
      throw new QueryFailedException(e);
    }
  }

  /** Closes the rows; a session with an answer that can't be closed isn't used again. */
  private void closeRows() throws SQLException {
    try {
      rows.close();
    } catch (SQLException | RuntimeException e) {
      duckDbSession.markBroken();
      throw e;
    }
  }
}
