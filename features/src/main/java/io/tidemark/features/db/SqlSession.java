// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.geojson.PostgresText;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.objects.TidemarkException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Statements on one connection to a storage. In each of them {@code %s} is the schema. Arguments
 * are strings, numbers, bytes, days and times, lists of strings or of numbers, and nulls. Errors of
 * the server are reported as Tidemark exceptions, see {@link PostgresErrorTranslator}.
 *
 * @param connection the connection for the statements
 * @param place the location of the storage
 */
public record SqlSession(Connection connection, SchemaLocation place) implements AutoCloseable {

  /** Query for the schema of PostGIS, which isn't always on the search path. */
  public static final String POSTGIS =
      "SELECT quote_ident(nspname) FROM pg_extension e JOIN pg_namespace n"
          + " ON n.oid = e.extnamespace WHERE extname = 'postgis'";

  /**
   * Asks whether the server follows another one, or did when the snapshot was taken: such a
   * snapshot is that of a replica even if the server has been promoted since.
   */
  public static final String FOLLOWS =
      "SELECT pg_is_in_recovery()"
          + " OR current_setting('naksha.follows', true) IS NOT DISTINCT FROM 'true'";

  private static final Logger LOG = LoggerFactory.getLogger(SqlSession.class);

  /** Mapper of a row to a value. */
  @FunctionalInterface
  public interface RowMapper<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Action on a row. */
  @FunctionalInterface
  public interface RowAction {
    void take(ResultSet row) throws SQLException;
  }

  /** Runs work on the connection. */
  public <T> T with(Database.Work<T> work) {
    try {
      return work.on(connection);
    } catch (SQLException e) {
      throw PostgresErrorTranslator.translate(e);
    }
  }

  /** Returns the rows of a query. */
  public <T> List<T> queryRows(String sql, RowMapper<T> rowMapper, @Nullable Object... arguments) {
    return asked(
        sql,
        arguments,
        query -> {
          try (ResultSet found = query.executeQuery()) {
            List<T> rows = new ArrayList<>();
            while (found.next()) {
              rows.add(rowMapper.read(found));
            }
            return rows;
          }
        });
  }

  /**
   * Processes each row of a query, and holds only a limited number at a time, fewer if they are
   * large.
   *
   * @param columns the columns to return, by the names of the query; see {@link BatchedFetch}
   * @return number of rows
   */
  public long each(
      int atATime,
      List<String> columns,
      String sql,
      RowAction rowAction,
      @Nullable Object... arguments) {
    BatchedFetch batchedFetch = new BatchedFetch(atATime, columns);
    return asked(
        batchedFetch.of(sql),
        arguments,
        query -> {
          query.setFetchSize(batchedFetch.rows());
          long rows = 0;
          try (ResultSet found = query.executeQuery()) {
            while (found.next()) {
              if (found.getInt(batchedFetch.mark()) == 0) {
                rowAction.take(found);
                rows++;
              }
            }
          }
          return rows;
        });
  }

  /** Returns the only row of a query. */
  public <T> T queryOne(String sql, RowMapper<T> rowMapper, @Nullable Object... arguments) {
    return queryRows(sql, rowMapper, arguments).get(0);
  }

  /** Returns the first column of the only row. */
  public long queryLong(String sql, @Nullable Object... arguments) {
    return queryOne(sql, row -> row.getLong(1), arguments);
  }

  /** Runs a query that returns one boolean. */
  public boolean queryBoolean(String sql, @Nullable Object... arguments) {
    return queryOne(sql, row -> row.getBoolean(1), arguments);
  }

  /** Runs a query that returns one text; empty when it is null. */
  public Optional<String> queryText(String sql, @Nullable Object... arguments) {
    return queryOne(sql, row -> Optional.ofNullable(row.getString(1)), arguments);
  }

  /** Returns the first column of every row. */
  public List<String> queryTexts(String sql, @Nullable Object... arguments) {
    return queryRows(sql, row -> row.getString(1), arguments);
  }

  /** Calls a function and ignores its result. */
  public void call(String sql, @Nullable Object... arguments) {
    List<Boolean> unused = queryRows(sql, row -> true, arguments);
  }

  /** Runs a statement and returns the number of changed rows. */
  public int change(String sql, @Nullable Object... arguments) {
    return asked(sql, arguments, PreparedStatement::executeUpdate);
  }

  /** Runs statements without arguments, and ignores their results. */
  public void run(String statements) {
    script(filled(statements));
  }

  /** Runs statements verbatim, without filling in the schema. */
  void script(String statements) {
    with(
        c -> {
          try (Statement statement = c.createStatement()) {
            return statement.execute(statements);
          }
        });
  }

  /**
   * Lets statements of this transaction take as long as they need. The server sends nothing in the
   * meantime, so the read timeout of the connection is off until the connection is returned.
   *
   * @param settings further settings for this transaction
   */
  public void withoutStatementTimeout(String settings) {
    run("SET LOCAL statement_timeout = 0; " + settings);
    with(
        c -> {
          c.setNetworkTimeout(Runnable::run, 0);
          return true;
        });
  }

  /** Sets the time after which a silent connection is given up. */
  void setReadTimeout(Duration longest) {
    with(
        c -> {
          c.setNetworkTimeout(Runnable::run, Math.toIntExact(longest.toMillis()));
          return true;
        });
  }

  /** Makes the session read-only, in the snapshot of its first statement. */
  public void readOnlySnapshot() {
    with(
        c -> {
          c.setReadOnly(true);
          c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          return true;
        });
  }

  /** Runs work and commits it, or rolls it back when it fails. */
  public <T> T inTransaction(Function<SqlSession, T> work) {
    try {
      T result = work.apply(this);
      commit();
      return result;
    } catch (RuntimeException e) {
      undo(e);
      throw e;
    }
  }

  private void undo(RuntimeException why) {
    try {
      rollback();
    } catch (TidemarkException e) {
      why.addSuppressed(e); // the connection is gone, and what was done with it
    }
  }

  /** Commits; {@link CommitResolver} determines the outcome of a commit whose answer is lost. */
  public void commit() {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw PostgresErrorTranslator.translateCommit(e);
    }
  }

  public void rollback() {
    with(
        c -> {
          c.rollback();
          return true;
        });
  }

  /** Sets a savepoint for {@link #undoTo}. */
  public Savepoint savepoint() {
    return with(Connection::setSavepoint);
  }

  /** Rolls back to a savepoint, and releases the locks taken since. */
  public void undoTo(Savepoint before) {
    with(
        c -> {
          c.rollback(before);
          return true;
        });
  }

  /**
   * Releases a savepoint and all later ones; the work since then remains part of the transaction.
   */
  public void release(Savepoint before) {
    with(
        c -> {
          c.releaseSavepoint(before);
          return true;
        });
  }

  /** Breaks the connection, even during a statement; any thread may do that. */
  public void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("a connection that is to be broken was gone already", e);
    }
  }

  /** Gives the connection back, or closes it if it isn't the pool's. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("a connection couldn't be given back; the pool replaces it", e);
    }
  }

  /** Action on a statement. */
  @FunctionalInterface
  private interface StatementAction<T> {
    T apply(PreparedStatement statement) throws SQLException;
  }

  private <T> T asked(
      String sql, @Nullable Object[] arguments, StatementAction<T> statementAction) {
    return with(
        c -> {
          try (PreparedStatement statement = c.prepareStatement(filled(sql))) {
            for (int i = 0; i < arguments.length; i++) {
              bind(statement, i + 1, arguments[i]);
            }
            return statementAction.apply(statement);
          }
        });
  }

  private String filled(String sql) {
    return sql.replace("%s", place.schema());
  }

  private void bind(PreparedStatement statement, int number, @Nullable Object argument)
      throws SQLException {
    if (argument instanceof List<?> list) {
      list.forEach(SqlSession::check);
      statement.setArray(number, array(list));
    } else {
      check(argument);
      statement.setObject(number, argument);
    }
  }

  private static void check(@Nullable Object argument) {
    if (argument instanceof String text && !PostgresText.isStorable(text)) {
      throw new InvalidRequestException(
          "a text of %d characters has half a character or a NUL in it, which PostgreSQL can't keep;"
                  .formatted(text.length())
              + " take it out");
    }
  }

  /** Arrays of these types are sent as they are; the driver makes texts of an {@code Object[]}. */
  private Array array(List<?> list) throws SQLException {
    return !list.isEmpty() && list.get(0) instanceof Long
        ? connection.createArrayOf("bigint", list.toArray(Long[]::new))
        : connection.createArrayOf("text", list.toArray(String[]::new));
  }
}
