// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.duckdb.QueryFailedException;
import io.tidemark.ledger.internal.sql.MessageFraming.Message;
import io.tidemark.ledger.internal.sql.MessageFraming.MessageKind;
import io.tidemark.ledger.query.plan.CancellationToken;
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

  /** Maximum time for a statement to end by itself, and for a process to get ready. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private static final Duration STARTING = Duration.ofMinutes(1);

  private final Statement statement;
  private final SqlProcessPool processes;
  private final CancellationToken cancellationToken;
  private final CancellationToken.Registration registration;
  private volatile SqlProcess process;
  private Optional<StatementTimeout> time = Optional.empty();
  private Optional<StatementTimeout> end = Optional.empty();
  private boolean busy;
  private boolean spoilt;
  private boolean closed;

  /**
   * A statement and what it may use.
   *
   * @param spill a directory of its own for what doesn't fit into memory
   */
  record Statement(String text, SqlLimits limits, Path spill) {}

  ProcessRun(Statement statement, SqlProcessPool processes, CancellationToken cancellationToken) {
    this.statement = statement;
    this.processes = processes;
    this.cancellationToken = cancellationToken;
    this.process = processes.take(statement.limits());
    try {
      this.registration = cancellationToken.register(() -> process.kill());
    } catch (TidemarkException e) {
      process.end();
      Sandbox.deleteSpill(statement.spill());
      throw e;
    }
  }

  /** Checks the statement; a process that died while it was idle is none of its doing. */
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
      throw failure();
    }
  }

  /**
   * Starts a new process in place of one that died before it ran any of the statement, unless that
   * one was started for the statement: so this happens once at most.
   */
  private void replace() {
    if (!process.wasIdle()
        || cancellationToken.isCancelled()
        || end.filter(StatementTimeout::hasEnded).isPresent()) {
      throw failure();
    }
    process.end();
    Sandbox.deleteSpill(statement.spill());
    process = processes.start(statement.limits());
    busy = false;
    cancellationToken.throwIfCancelled(); // a cancellation meanwhile has killed the other process
  }

  private CheckedSql checked() throws IOException, SQLException {
    try (StatementTimeout starting = StatementTimeout.after(STARTING, process::kill)) {
      process.awaitReady();
    }
    begin();
    SqlLimits limits = statement.limits();
    send(
        MessageKind.CHECK,
        content -> {
          PipeValueCodec.text(content, statement.text());
          content.writeLong(Math.max(1, limits.time().toMillis()));
          PipeValueCodec.text(content, limits.memory());
          PipeValueCodec.text(content, limits.disk());
          content.writeLong(limits.rows());
          PipeValueCodec.text(content, limits.file());
          PipeValueCodec.text(content, statement.spill().toString());
        });
    DataInputStream answer = read().content();
    stopClock();
    return new CheckedSql(
        statement.text(),
        new TreeSet<>(PipeValueCodec.texts(answer)),
        new TreeSet<>(PipeValueCodec.texts(answer)),
        answer.readInt(),
        answer.readBoolean());
  }

  @Override
  public Rows execute(Tables tables) throws SQLException {
    DataInputStream columns = ask(MessageKind.ANSWER, content -> write(content, tables));
    try {
      List<SqlResult.Column> all = new ArrayList<>();
      for (int left = columns.readInt(); left > 0; left--) {
        all.add(new SqlResult.Column(PipeValueCodec.text(columns), PipeValueCodec.text(columns)));
      }
      return new FramedRows(List.copyOf(all), columns);
    } catch (IOException e) {
      throw failure();
    }
  }

  @Override
  public String explain(Tables tables) throws SQLException {
    try {
      return PipeValueCodec.text(ask(MessageKind.EXPLAIN, content -> write(content, tables)));
    } catch (IOException e) {
      throw failure();
    }
  }

  @Override
  public long copy(Tables tables, Path file) throws SQLException {
    try {
      return ask(
              MessageKind.COPY,
              content -> {
                write(content, tables);
                PipeValueCodec.text(content, file.toString());
              })
          .readLong();
    } catch (IOException e) {
      throw failure();
    }
  }

  private static void write(DataOutputStream content, Tables tables) throws IOException {
    PipeValueCodec.texts(content, tables.tables());
    PipeValueCodec.texts(content, tables.files().stream().map(Path::toString).toList());
    PipeValueCodec.values(content, tables.parameters());
  }

  /** Starts the clock: from now on the time counts. */
  private void begin() {
    stopClock();
    Duration limit = statement.limits().time();
    time = Optional.of(StatementTimeout.after(limit, () -> {}));
    end = Optional.of(StatementTimeout.after(limit.plus(GRACE), process::kill));
  }

  private void stopClock() {
    time.ifPresent(StatementTimeout::close);
    end.ifPresent(StatementTimeout::close);
  }

  private void send(MessageKind messageKind, MessageFraming.ContentWriter contentWriter)
      throws IOException {
    busy = true;
    process.send(messageKind, contentWriter);
  }

  /** Sends a request and waits for the answer; no time counts after it, but for rows. */
  private DataInputStream ask(MessageKind messageKind, MessageFraming.ContentWriter contentWriter)
      throws SQLException {
    try {
      handOver(messageKind, contentWriter);
      DataInputStream answer = read().content();
      if (messageKind != MessageKind.ANSWER) {
        stopClock();
      }
      return answer;
    } catch (IOException e) {
      throw failure();
    }
  }

  /** Sends a request; a process that doesn't take all of it hasn't begun to run it. */
  private void handOver(MessageKind messageKind, MessageFraming.ContentWriter contentWriter)
      throws IOException, SQLException {
    try {
      begin();
      send(messageKind, contentWriter);
    } catch (IOException e) {
      replace();
      checked();
      begin();
      send(messageKind, contentWriter);
    }
  }

  /** Reads the next message, which may say that the statement has failed. */
  private Message read() throws IOException, SQLException {
    Message frame = process.read();
    if (frame.kind() == MessageKind.FAILED) {
      busy = false;
      cancellationToken.throwIfCancelled();
      throw failed(PipeValueCodec.text(frame.content()), PipeValueCodec.text(frame.content()));
    }
    busy = frame.kind() == MessageKind.ROWS || frame.kind() == MessageKind.COLUMNS;
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

  /** Returns the reason for which the process broke off. */
  private RuntimeException failure() {
    spoilt = true;
    cancellationToken.throwIfCancelled();
    if (end.isPresent() && end.get().hasEnded()) {
      return time.orElseThrow().exceeded();
    }
    return process.failure();
  }

  /** Rows in messages, of which one is read at a time: the process waits for the reader. */
  private final class FramedRows implements Rows {

    private final List<SqlResult.Column> columns;
    private DataInputStream batch;
    private boolean ended;

    FramedRows(List<SqlResult.Column> columns, DataInputStream batch) {
      this.columns = columns;
      this.batch = batch;
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
      try {
        while (!ended && batch.available() == 0) {
          Message frame = read();
          batch = frame.content();
          ended = frame.kind() == MessageKind.END;
        }
        return ended ? Optional.empty() : Optional.of(PipeValueCodec.values(batch));
      } catch (IOException e) {
        throw failure();
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
    registration.close();
    if (!busy && !spoilt && !cancellationToken.isCancelled() && isForgotten()) {
      Sandbox.deleteSpill(statement.spill());
      processes.giveBack(process);
    } else {
      process.end();
      Sandbox.deleteSpill(statement.spill());
      processes.prepare(statement.limits());
    }
  }

  /** Returns whether the process has forgotten the statement and can take another one. */
  private boolean isForgotten() {
    try (StatementTimeout limit = StatementTimeout.after(GRACE.multipliedBy(4), process::kill)) {
      process.send(MessageKind.CLOSE, content -> {});
      return process.read().kind() == MessageKind.READY;
    } catch (IOException e) {
      return false;
    }
  }
}
