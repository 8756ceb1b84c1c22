// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.query.plan.Stop;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;

/**
 * A connection that one query has at a time, and what was asked on it before.
 *
 * <p>A statement that is asked again and again is kept prepared, which saves a fifth of the time of
 * a small one. DuckDB plans it anew each time by what the tables hold then, so it answers as a new
 * one would. The first time it is run as it is, since preparing takes as long as running.
 */
final class Session implements AutoCloseable {

  /** Takes a session back. */
  interface Lender {
    void takeBack(Session session) throws SQLException;
  }

  /** What a database does about statements that were asked before. */
  enum Memory {
    KEEPS,
    FORGETS
  }

  private static final int MOST = 32;
  private static final int LONGEST = 10_000;

  private final DuckDBConnection connection;
  private final Memory memory;
  private final Lender lender;

  /** The oldest first; empty for one that was asked once. */
  private final Map<String, Optional<DuckDBPreparedStatement>> asked =
      new LinkedHashMap<>(16, 0.75f, true);

  private boolean spoilt;
  private Stop stop = new Stop();

  Session(DuckDBConnection connection, Memory memory, Lender lender) {
    this.connection = connection;
    this.memory = memory;
    this.lender = lender;
  }

  DuckDBConnection connection() {
    return connection;
  }

  /** A query begins, which this may end. */
  void begin(Stop ending) {
    stop = ending;
  }

  /** Runs a statement whose answer is small. */
  ResultSet small(String sql) throws SQLException {
    if (!isKept(sql)) {
      return direct(sql);
    }
    DuckDBPreparedStatement statement = prepared(sql);
    try (Stop.Running unused = stop.running(statement)) {
      return statement.executeQuery();
    }
  }

  private ResultSet direct(String sql) throws SQLException {
    asked.computeIfAbsent(sql, text -> Optional.empty());
    Statement statement = connection.createStatement();
    statement.closeOnCompletion();
    try (Stop.Running unused = stop.running(statement)) {
      return statement.executeQuery(sql);
    }
  }

  /** Runs a statement for its rows. */
  AnswerRows rows(String sql, Size size) throws SQLException {
    if (!VectorRows.CAN_BE_READ || (size == Size.SMALL && !isKept(sql))) {
      return new CellRows(direct(sql));
    }
    DuckDBPreparedStatement statement = prepared(sql);
    try (Stop.Running unused = stop.running(statement)) {
      return new VectorRows(statement.query());
    }
  }

  /** Whether it pays to plan a statement twice to have its rows faster. */
  enum Size {
    SMALL,
    LARGE
  }

  private boolean isKept(String sql) {
    return memory == Memory.KEEPS && sql.length() <= LONGEST && asked.containsKey(sql);
  }

  private DuckDBPreparedStatement prepared(String sql) throws SQLException {
    Optional<DuckDBPreparedStatement> known = asked.getOrDefault(sql, Optional.empty());
    if (known.isPresent()) {
      return known.get();
    }
    DuckDBPreparedStatement made = connection.prepare(sql);
    asked.put(sql, Optional.of(made));
    return made;
  }

  /** Why a statement failed; what was ended isn't run once more to find out. */
  SQLException cause(SQLException failure, String sql) {
    return stop.isEnded() ? failure : Cause.of(failure, connection, sql);
  }

  /** It isn't used again: something went wrong on it. */
  void spoil() {
    spoilt = true;
  }

  boolean isSpoilt() {
    return spoilt;
  }

  @Override
  public void close() throws SQLException {
    try {
      forget();
    } catch (SQLException | RuntimeException e) {
      spoil();
      throw e;
    } finally {
      lender.takeBack(this);
    }
  }

  /** Forgets what is too much or too old. */
  private void forget() throws SQLException {
    Iterator<Map.Entry<String, Optional<DuckDBPreparedStatement>>> oldest =
        asked.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<String, Optional<DuckDBPreparedStatement>> entry = oldest.next();
      boolean kept =
          memory == Memory.KEEPS && asked.size() <= MOST && entry.getKey().length() <= LONGEST;
      if (!kept) {
        if (entry.getValue().isPresent()) {
          entry.getValue().get().close();
        }
        oldest.remove();
      }
    }
  }
}
