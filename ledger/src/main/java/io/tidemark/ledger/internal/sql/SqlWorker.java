// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.sql.MessageFraming.Message;
import io.tidemark.ledger.internal.sql.MessageFraming.MessageKind;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.natives.DuckDbLibrary;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Process that runs statements for another one, which has set its limits and may kill it at any
 * time. It takes one statement after the other from its standard input, and ends when that ends: so
 * it never outlives its parent, however that ended.
 */
public final class SqlWorker {

  /** The code of a failure that the statement didn't cause. */
  static final String INTERNAL = "internal";

  private static final int BATCH = 1 << 15;
  private static final int LONGEST_MESSAGE = 10_000;

  private final OutputStream out;
  private Optional<LocalRun> run = Optional.empty();

  private SqlWorker(OutputStream out) {
    this.out = out;
  }

  /** Runs statements; the argument is the cache directory. */
  public static void main(String[] arguments) {
    OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BATCH);
    System.setOut(System.err); // nothing else may get between the messages
    DuckDbLibrary.useCache(Path.of(arguments[0]));
    BlockingQueue<Message> requests = listen(new FileInputStream(FileDescriptor.in));
    SqlWorker worker = new SqlWorker(out);
    worker.warmUp(Path.of(arguments[0]).resolve("spill"));
    try {
      worker.empty(MessageKind.READY);
      while (true) {
        worker.serve(requests.take());
      }
    } catch (OutOfMemoryError e) {
      Runtime.getRuntime().halt(SqlProcess.OUT_OF_MEMORY);
    } catch (Throwable e) {
      Runtime.getRuntime().halt(SqlProcess.FAILED); // a JVM without memory ends with 1
    }
  }

  /** Reads requests on a thread of its own, so that the end of the parent is seen at once. */
  private static BlockingQueue<Message> listen(InputStream pipe) {
    BlockingQueue<Message> requests = new LinkedBlockingQueue<>();
    Thread reader =
        new Thread(
            () -> {
              try (InputStream in = new BufferedInputStream(pipe)) {
                while (true) {
                  requests.add(MessageFraming.read(in, MessageFraming.LARGEST_REQUEST));
                }
              } catch (IOException e) {
                Runtime.getRuntime().halt(0);
              } catch (OutOfMemoryError e) {
                Runtime.getRuntime().halt(SqlProcess.OUT_OF_MEMORY);
              } catch (Throwable e) {
                Runtime.getRuntime().halt(SqlProcess.FAILED);
              }
            },
            "tidemark-sql-requests");
    reader.setDaemon(true);
    reader.start();
    return requests;
  }

  /** Loads the library and most classes, before the first statement waits for them. */
  private void warmUp(Path spills) {
    try (LocalRun first =
        LocalRun.of(
            "SELECT 1", SqlLimits.standard(), spills.resolve("none"), new CancellationToken())) {
      first.check();
    } catch (SQLException | RuntimeException e) {
      return; // the statement will say so
    }
  }

  private void serve(Message request) throws IOException {
    try {
      answer(request);
    } catch (SQLException e) {
      failed(SqlErrorTranslator.of(e, run.map(LocalRun::limits).orElseGet(SqlLimits::standard)));
    } catch (TidemarkException e) {
      failed(e);
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      failed(INTERNAL, e.toString());
    }
  }

  private void answer(Message request) throws IOException, SQLException {
    DataInputStream in = request.content();
    switch (request.kind()) {
      case CHECK -> check(in);
      case ANSWER -> rows(current().execute(tables(in)));
      case EXPLAIN -> {
        String steps = current().explain(tables(in));
        send(MessageKind.STEPS, content -> PipeValueCodec.text(content, steps));
      }
      case COPY -> {
        SqlRun.Tables tables = tables(in);
        long count = current().copy(tables, Path.of(PipeValueCodec.text(in)));
        send(MessageKind.COUNT, content -> content.writeLong(count));
      }
      default -> {
        close();
        empty(MessageKind.READY);
      }
    }
  }

  private LocalRun current() {
    return run.orElseThrow();
  }

  private void close() {
    run.ifPresent(LocalRun::close);
    run = Optional.empty();
  }

  private void check(DataInputStream in) throws IOException, SQLException {
    String text = PipeValueCodec.text(in);
    Duration time = Duration.ofMillis(in.readLong());
    SqlLimits limits =
        new SqlLimits(
            time,
            PipeValueCodec.text(in),
            PipeValueCodec.text(in),
            in.readLong(),
            PipeValueCodec.text(in));
    run =
        Optional.of(
            LocalRun.of(text, limits, Path.of(PipeValueCodec.text(in)), new CancellationToken()));
    CheckedSql checked = current().check();
    send(
        MessageKind.CHECKED,
        content -> {
          PipeValueCodec.texts(content, checked.tables());
          PipeValueCodec.texts(content, checked.withNames());
          content.writeInt(checked.parameters());
          content.writeBoolean(checked.listsTables());
        });
  }

  private static SqlRun.Tables tables(DataInputStream in) throws IOException {
    List<String> statements = PipeValueCodec.texts(in);
    Set<Path> files = new HashSet<>();
    PipeValueCodec.texts(in).forEach(file -> files.add(Path.of(file)));
    return new SqlRun.Tables(statements, files, PipeValueCodec.values(in));
  }

  private void rows(SqlRun.Rows rows) throws IOException, SQLException {
    send(
        MessageKind.COLUMNS,
        content -> {
          content.writeInt(rows.columns().size());
          for (SqlResult.Column column : rows.columns()) {
            PipeValueCodec.text(content, column.name());
            PipeValueCodec.text(content, column.type());
          }
        });
    ByteArrayOutputStream batch = new ByteArrayOutputStream(BATCH + BATCH / 8);
    DataOutputStream content = new DataOutputStream(batch);
    for (Optional<List<JsonNode>> row = rows.next(); row.isPresent(); row = rows.next()) {
      int before = batch.size();
      PipeValueCodec.values(content, row.get());
      requireSmall("a row", batch.size() - before);
      if (batch.size() >= BATCH) {
        MessageFraming.write(out, MessageKind.ROWS, batch);
        batch.reset();
      }
    }
    if (batch.size() > 0) {
      MessageFraming.write(out, MessageKind.ROWS, batch);
    }
    empty(MessageKind.END);
  }

  private void empty(MessageKind messageKind) throws IOException {
    send(messageKind, content -> {});
  }

  private void send(MessageKind messageKind, MessageFraming.ContentWriter contentWriter)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    contentWriter.write(new DataOutputStream(bytes));
    requireSmall("a part", bytes.size());
    MessageFraming.write(out, messageKind, bytes);
  }

  private static void requireSmall(String part, int bytes) {
    if (bytes > MessageFraming.LARGEST_ROW) {
      throw new SqlLimitException(
          "%s of the answer has %,d bytes, and may have %,d (16 MiB); select fewer or shorter values"
              .formatted(part, bytes, MessageFraming.LARGEST_ROW));
    }
  }

  private void failed(TidemarkException failure) throws IOException {
    Throwable told = failure.getCause() instanceof SQLException cause ? cause : failure;
    failed(failure.code(), String.valueOf(told.getMessage()));
  }

  /** Reports a failure, with its message shortened: messages may quote values of any length. */
  private void failed(String code, String message) throws IOException {
    boolean whole = message.length() <= LONGEST_MESSAGE;
    String told = whole ? message : message.substring(0, LONGEST_MESSAGE) + " ..";
    send(
        MessageKind.FAILED,
        content -> {
          PipeValueCodec.text(content, code);
          PipeValueCodec.text(content, told);
        });
  }
}
