// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.UnicodeText;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs long work in a thread of its own and streams its progress as lines of JSON. A line is
 * written every half second, also when nothing is new, so that the caller doesn't take the server
 * for dead. The last line has the result as {@code end}, or the {@code problem} that ended it.
 */
public final class ProgressStream {

  /** The media type of lines of JSON. */
  public static final String LINES = "application/x-ndjson";

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int WAITING = 1_000;

  private final FutureTask<JsonNode> task;
  private final CallerGone callerGone;
  private final String requestId;
  private final BlockingQueue<JsonNode> lines = new ArrayBlockingQueue<>(WAITING);
  private volatile JsonNode now;

  /** Fate of the work when its caller closes the connection. */
  public enum CallerGone {
    /** It is brought to its end. */
    FINISH,
    /** Its thread is interrupted. */
    CANCEL
  }

  /** Where work tells of itself, from any thread. */
  public interface Lines {

    /** Replaces the line that is written now and then. */
    void now(JsonNode progress);

    /** Adds a line that is written once; waits when many are to be written. */
    void add(JsonNode line);
  }

  /** Work that tells how far it is. */
  @FunctionalInterface
  public interface Work {
    JsonNode run(Lines lines);
  }

  private ProgressStream(JsonNode first, CallerGone callerGone, Work work, String requestId) {
    this.now = first;
    this.callerGone = callerGone;
    this.requestId = requestId;
    this.task = new FutureTask<>(() -> work.run(lines()));
  }

  /** Whether a caller accepts lines of JSON. */
  public static boolean isAccepted(Call call) {
    return call.header("Accept").filter(types -> types.contains(LINES)).isPresent();
  }

  /**
   * Returns the answer that runs the work and streams its progress.
   *
   * @param first the line that is written before the work has told anything
   */
  public static Reply reply(Call call, JsonNode first, CallerGone callerGone, Work work) {
    ProgressStream stream = new ProgressStream(first, callerGone, work, call.id());
    return new Reply.Streamed(200, LINES, stream::to, Reply.AT_ONCE);
  }

  private Lines lines() {
    return new Lines() {
      @Override
      public void now(JsonNode progress) {
        now = progress;
      }

      @Override
      public void add(JsonNode line) {
        try {
          lines.put(line);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new CancellationException("the caller is gone");
        }
      }
    };
  }

  private void to(OutputStream out) throws IOException {
    write(now, out); // before the work begins: nothing is begun for a caller that is gone
    Thread thread = new Thread(task, "tidemark-progress");
    thread.setDaemon(true);
    thread.start();
    try {
      tell(out, thread);
    } catch (InterruptedException e) {
      task.cancel(true);
      throw new InterruptedIOException("the server stops");
    }
  }

  private void tell(OutputStream out, Thread thread) throws IOException, InterruptedException {
    try {
      do {
        await();
        writeWaiting(out);
        write(now, out);
      } while (!task.isDone());
      writeWaiting(out);
      write(last(), out);
    } catch (IOException e) {
      if (callerGone == CallerGone.CANCEL) {
        task.cancel(true);
      }
      // Until it has ended it keeps the place of its request, also when it was cancelled.
      thread.join();
      throw e;
    }
  }

  /** Waits for the end of the work, or until it is time for a line. */
  private void await() throws InterruptedException {
    try {
      JsonNode unused = task.get(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | CancellationException e) {
      // How it ended is told in the last line.
    }
  }

  private void writeWaiting(OutputStream out) throws IOException {
    for (JsonNode line = lines.poll(); line != null; line = lines.poll()) {
      write(line, out);
    }
  }

  private JsonNode last() throws IOException, InterruptedException {
    ObjectNode last = JsonNodeFactory.instance.objectNode();
    try {
      last.set("end", task.get());
    } catch (ExecutionException e) {
      last.set("problem", problem(e.getCause()).json(requestId));
    }
    return last;
  }

  private static Problem problem(@Nullable Throwable failure) throws IOException {
    if (failure instanceof ProblemException known) {
      return known.problem();
    }
    if (failure instanceof TidemarkException known) {
      return Problem.of(known);
    }
    throw new IOException("it failed", failure);
  }

  private static void write(JsonNode line, OutputStream out) throws IOException {
    out.write(UnicodeText.bytes(line));
    out.write('\n');
    out.flush();
  }
}
