// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.duckdb.QueryFailedException;
import io.tidemark.ledger.internal.sql.Frames.Frame;
import io.tidemark.ledger.internal.sql.Frames.Kind;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.objects.TidemarkException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Statement in a process of its own. Most statements end there by themselves when their time is
 * over. What DuckDB does within one call of a function doesn't, so the process is killed a moment
 * later; it is killed at once when the caller ends the statement.
 */
final class ProcessRun implements SqlRun {

  /** How long a statement may take to end by itself, and a process to get ready. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private static final Duration STARTING = Duration.ofMinutes(1);

  private final Statement statement;
  private final SqlProcesses processes;
  private final Stop stop;
  private final Stop.Running running;
  private volatile SqlProcess process;
  private Optional<TimeLimit> time = Optional.empty();
  private Optional<TimeLimit> end = Optional.empty();
  private boolean busy;
  private boolean spoilt;
  private boolean closed;

  /**
   * A statement and what it may use.
   *
   * @param spill a directory of its own for what doesn't fit into memory
   */
  record Statement(String text, SqlLimits limits, Path spill) {}

  ProcessRun(Statement statement, SqlProcesses processes, Stop stop) {
    this.statement = statement;
    this.processes = processes;
    this.stop = stop;
    this.process = processes.take(statement.limits());
    try {
      this.running = stop.running(() -> process.kill());
    } catch (TidemarkException e) {
      process.end();
      Sandbox.deleteSpill(statement.spill());
      throw e;
    }
  }

  /** A process that died while it was idle is none of the statement's doing. */
  @Override
  public CheckedSql check() throws SQLException {
    try {
      return checked();
    } catch (IOException e) {
      replace();
    }
    try {
      return checked();
    } catch (IOException e) {
      throw broken();
    }
  }

  /**
   * Has a new process in place of one that died before it ran any of the statement, unless it was
   * started for the statement: so that this happens once at most.
   */
  private void replace() {
    if (!process.wasIdle() || stop.isEnded() || end.filter(TimeLimit::hasEnded).isPresent()) {
      throw broken();
    }
    process.end();
    Sandbox.deleteSpill(statement.spill());
    process = processes.start(statement.limits());
    busy = false;
    stop.check(); // who ended it meanwhile has killed the other process
  }

  private CheckedSql checked() throws IOException, SQLException {
    try (TimeLimit starting = TimeLimit.after(STARTING, process::kill)) {
      process.awaitReady();
    }
    begin();
    SqlLimits limits = statement.limits();
    send(
        Kind.CHECK,
        content -> {
          Wire.text(content, statement.text());
          content.writeLong(Math.max(1, limits.time().toMillis()));
          Wire.text(content, limits.memory());
          Wire.text(content, limits.disk());
          content.writeLong(limits.rows());
          Wire.text(content, limits.file());
          Wire.text(content, statement.spill().toString());
        });
    DataInputStream answer = read().content();
    stopClock();
    return new CheckedSql(
        statement.text(),
        new TreeSet<>(Wire.texts(answer)),
        new TreeSet<>(Wire.texts(answer)),
        answer.readInt(),
        answer.readBoolean());
  }

  @Override
  public Rows answer(Tables tables) throws SQLException {
    DataInputStream columns = ask(Kind.ANSWER, content -> write(content, tables));
    try {
      List<SqlAnswer.Column> all = new ArrayList<>();
      for (int left = columns.readInt(); left > 0; left--) {
        all.add(new SqlAnswer.Column(Wire.text(columns), Wire.text(columns)));
      }
      return new FramedRows(List.copyOf(all), columns);
    } catch (IOException e) {
      throw broken();
    }
  }

  @Override
  public String explain(Tables tables) throws SQLException {
    try {
      return Wire.text(ask(Kind.EXPLAIN, content -> write(content, tables)));
    } catch (IOException e) {
      throw broken();
    }
  }

  @Override
  public long copy(Tables tables, Path file) throws SQLException {
    try {
      return ask(
              Kind.COPY,
              content -> {
                write(content, tables);
                Wire.text(content, file.toString());
              })
          .readLong();
    } catch (IOException e) {
      throw broken();
    }
  }

  private static void write(DataOutputStream content, Tables tables) throws IOException {
    Wire.texts(content, tables.tables());
    Wire.texts(content, tables.files().stream().map(Path::toString).toList());
    Wire.values(content, tables.parameters());
  }

  /** From now on the time counts. */
  private void begin() {
    stopClock();
    Duration limit = statement.limits().time();
    time = Optional.of(TimeLimit.after(limit, () -> {}));
    end = Optional.of(TimeLimit.after(limit.plus(GRACE), process::kill));
  }

  private void stopClock() {
    time.ifPresent(TimeLimit::close);
    end.ifPresent(TimeLimit::close);
  }

  private void send(Kind kind, Frames.Content content) throws IOException {
    busy = true;
    process.send(kind, content);
  }

  /** Asks for something and waits for the answer; no time counts after it, but for rows. */
  private DataInputStream ask(Kind kind, Frames.Content content) throws SQLException {
    try {
      handOver(kind, content);
      DataInputStream answer = read().content();
      if (kind != Kind.ANSWER) {
        stopClock();
      }
      return answer;
    } catch (IOException e) {
      throw broken();
    }
  }

  /** A process that doesn't take all of a request hasn't begun to run it. */
  private void handOver(Kind kind, Frames.Content content) throws IOException, SQLException {
    try {
      begin();
      send(kind, content);
    } catch (IOException e) {
      replace();
      checked();
      begin();
      send(kind, content);
    }
  }

  /** The next message, which may say that the statement has failed. */
  private Frame read() throws IOException, SQLException {
    Frame frame = process.read();
    if (frame.kind() == Kind.FAILED) {
      busy = false;
      stop.check();
      throw failed(Wire.text(frame.content()), Wire.text(frame.content()));
    }
    busy = frame.kind() == Kind.ROWS || frame.kind() == Kind.COLUMNS;
    return frame;
  }

  private RuntimeException failed(String code, String message) {
    return switch (code) {
      case "invalid-sql" -> new InvalidSqlException(message);
      case "refused-sql" -> new RefusedSqlException(message);
      case "sql-limit" -> {
        spoilt = true; // its memory may be in pieces
        yield new SqlLimitException(message);
      }
      case SqlWorker.INTERNAL -> {
        spoilt = true;
        yield new IllegalStateException("the process of the statement failed: " + message);
      }
      default -> new QueryFailedException(new SQLException(message));
    };
  }

  /** Why the process broke off. */
  private RuntimeException broken() {
    spoilt = true;
    stop.check();
    if (end.isPresent() && end.get().hasEnded()) {
      return time.orElseThrow().exceeded();
    }
    return process.broken();
  }

  /** Rows in messages, of which one is read at a time: the process waits for the reader. */
  private final class FramedRows implements Rows {

    private final List<SqlAnswer.Column> columns;
    private DataInputStream batch;
    private boolean ended;

    FramedRows(List<SqlAnswer.Column> columns, DataInputStream batch) {
      this.columns = columns;
      this.batch = batch;
    }

    @Override
    public List<SqlAnswer.Column> columns() {
      return columns;
    }

    @Override
    public Optional<List<JsonNode>> next() throws SQLException {
      stop.check();
      if (time.isPresent() && time.get().hasEnded()) {
        throw time.get().exceeded();
      }
      try {
        while (!ended && batch.available() == 0) {
          Frame frame = read();
          batch = frame.content();
          ended = frame.kind() == Kind.END;
        }
        return ended ? Optional.empty() : Optional.of(Wire.values(batch));
      } catch (IOException e) {
        throw broken();
      }
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    stopClock();
    running.close();
    if (!busy && !spoilt && !stop.isEnded() && isForgotten()) {
      Sandbox.deleteSpill(statement.spill());
      processes.giveBack(process);
    } else {
      process.end();
      Sandbox.deleteSpill(statement.spill());
      processes.prepare(statement.limits());
    }
  }

  /** Whether the process has forgotten the statement and can take another one. */
  private boolean isForgotten() {
    try (TimeLimit limit = TimeLimit.after(GRACE.multipliedBy(4), process::kill)) {
      process.send(Kind.CLOSE, content -> {});
      return process.read().kind() == Kind.READY;
    } catch (IOException e) {
      return false;
    }
  }
}
