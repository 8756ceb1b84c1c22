// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.Session.Size;
import io.tidemark.ledger.internal.plan.Found;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.Row;
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
 * Rows as DuckDB hands them out, so that an answer needn't fit into memory. One is read ahead:
 * since rows are sorted, the first is there when all files have been read and most of what can go
 * wrong has.
 */
final class RowStream extends Spliterators.AbstractSpliterator<Found> {

  private final Session session;
  private final AnswerRows rows;
  private final Kind kind;
  private final Set<Side> ends;
  private Optional<Found> next = Optional.empty();

  private RowStream(Session session, AnswerRows rows, Plan plan) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.session = session;
    this.rows = rows;
    this.kind = plan.query().type().kind();
    this.ends = plan.query().ends();
  }

  /** Runs a statement; the session is closed with the stream. */
  static Stream<Found> open(Session session, String sql, Plan plan, Size size) throws SQLException {
    try {
      RowStream rows = new RowStream(session, session.rows(sql, size), plan);
      rows.advance();
      return StreamSupport.stream(rows, false).onClose(rows::close);
    } catch (SQLException e) {
      SQLException cause = session.cause(e, sql);
      session.spoil();
      session.close();
      throw cause;
    } catch (RuntimeException e) {
      session.spoil();
      session.close();
      throw e;
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
      session.spoil();
      throw new QueryFailedException(e);
    }
    action.accept(found);
    return true;
  }

  /** The driver says in its own way that a connection was closed while columns are read. */
  private void advance() throws SQLException {
    try {
      next = rows.next() ? Optional.of(read()) : Optional.empty();
    } catch (RuntimeException e) {
      throw new SQLException("the answer broke off: " + e.getMessage(), e);
    }
  }

  private Found read() throws SQLException {
    Row row = row(1, kind).orElseThrow();
    int left = 1 + RowColumns.common(kind).size();
    int right = ends.contains(Side.LEFT) ? left + RowColumns.common(Kind.ENTITY).size() : left;
    return new Found(row, end(Side.LEFT, left), end(Side.RIGHT, right));
  }

  private Optional<Row> end(Side side, int first) throws SQLException {
    return ends.contains(side) ? row(first, Kind.ENTITY) : Optional.empty();
  }

  /** The row in these columns; empty when there is none at that end. */
  private Optional<Row> row(int first, Kind of) throws SQLException {
    int column = first;
    long commitId = rows.number(column++);
    if (rows.isNull(column)) {
      return Optional.empty();
    }
    String key = rows.text(column++);
    Identity identity =
        of == Kind.ENTITY
            ? new EntityKey(key)
            : new RelationKey(key, rows.text(column++), rows.text(column++));
    long version = rows.number(column++);
    return Optional.of(new Row(commitId, identity, version, FiniteJson.of(rows.text(column))));
  }

  /** An answer that nobody reads to its end would go on in a session that is used again. */
  private void close() {
    if (next.isPresent()) {
      session.spoil();
    }
    try (Session ended = session) {
      closeRows();
    } catch (SQLException e) {
      throw new QueryFailedException(e);
    }
  }

  /** A session with an answer that can't be closed isn't used again. */
  private void closeRows() throws SQLException {
    try {
      rows.close();
    } catch (SQLException | RuntimeException e) {
      session.spoil();
      throw e;
    }
  }
}
