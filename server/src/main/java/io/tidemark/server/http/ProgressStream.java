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
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Stream of the progress of long work as lines of JSON; the work runs on a thread of its own. A
 * line is written every half second even without news, so that the client doesn't assume that the
 * server is dead. The last line has the result as {@code end}, or the {@code problem} that ended
 * the work.
 */
public final class ProgressStream implements RouteResponse.BodyWriter {

  /** Media type of lines of JSON. */
  public static final String LINES = "application/x-ndjson";

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int WAITING = 1_000;

  private final FutureTask<JsonNode> task;
  private final Thread thread;
  private final DisconnectPolicy disconnectPolicy;
  private final String requestId;
  private final BlockingQueue<JsonNode> lines = new ArrayBlockingQueue<>(WAITING);
  private final CountDownLatch told = new CountDownLatch(1);
  private volatile Optional<JsonNode> now;

  /** Handling of the work when the client disconnects. */
  public enum DisconnectPolicy {
    /** The work runs to its end. */
    FINISH,
    /** The thread of the work is interrupted. */
    CANCEL
  }

  /** Receiver of progress, called from any thread. */
  public interface ProgressSink {

    /** Replaces the line that is written periodically. */
    void update(JsonNode progress);

    /** Adds a line that is written once; blocks while too many lines are queued. */
    void add(JsonNode line);
  }

  /** Work that reports its progress. */
  @FunctionalInterface
  public interface Work {
    JsonNode run(ProgressSink progressSink);
  }

  private ProgressStream(
      Optional<JsonNode> first, DisconnectPolicy disconnectPolicy, Work work, String requestId) {
    this.now = first;
    this.disconnectPolicy = disconnectPolicy;
    this.requestId = requestId;
    this.task =
        new FutureTask<>(() -> work.run(lines())) {
          @Override
          protected void done() {
            told.countDown();
          }
        };
    this.thread = new Thread(task, "tidemark-progress");
    thread.setDaemon(true);
  }

  /** Returns whether a caller accepts lines of JSON. */
  public static boolean isAccepted(HttpRequestContext httpRequestContext) {
    return httpRequestContext.header("Accept").filter(types -> types.contains(LINES)).isPresent();
  }

  /**
   * Returns the answer that runs the work and streams its progress.
   *
   * @param first line that is written before the work has reported anything
   */
  public static RouteResponse reply(
      HttpRequestContext httpRequestContext,
      JsonNode first,
      DisconnectPolicy disconnectPolicy,
      Work work) {
    ProgressStream stream =
        new ProgressStream(Optional.of(first), disconnectPolicy, work, httpRequestContext.id());
    return new RouteResponse.Streamed(200, LINES, stream, RouteResponse.AT_ONCE);
  }

  /**
   * Returns the answer that streams the progress of work on another server. The request is sent
   * there before this method returns, and a refusal is thrown, so that the status tells it. Work
   * that has begun there runs to its end, even if the client stops reading.
   */
  public static RouteResponse begun(HttpRequestContext httpRequestContext, Work work)
      throws IOException {
    ProgressStream stream =
        new ProgressStream(
            Optional.empty(), DisconnectPolicy.CANCEL, work, httpRequestContext.id());
    stream.begin();
    return new RouteResponse.Streamed(200, LINES, stream, RouteResponse.AT_ONCE);
  }

  /** Starts the work and waits until it reports something or has ended. */
  private void begin() throws IOException {
    thread.start();
    try {
      told.await();
      if (now.isEmpty()) {
        JsonNode unused = task.get();
      }
    } catch (ExecutionException e) {
      throw new ProblemException(problem(e.getCause()));
    } catch (InterruptedException e) {
      throw stopped();
    }
  }

  private InterruptedIOException stopped() {
    task.cancel(true);
    return new InterruptedIOException("the server stops");
  }

  private ProgressSink lines() {
    return new ProgressSink() {
      @Override
      public void update(JsonNode progress) {
        now = Optional.of(progress);
        told.countDown();
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

  @Override
  public boolean hasBegun() {
    return thread.getState() != Thread.State.NEW;
  }

  @Override
  public void close() {
    task.cancel(true);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    writeNow(out); // before the work begins, so that none begins for a client that is gone
    if (!hasBegun()) {
      thread.start();
    }
    try {
      tell(out);
    } catch (InterruptedException e) {
      throw stopped();
    }
  }

  private void tell(OutputStream out) throws IOException, InterruptedException {
    try {
      do {
        await();
        writeWaiting(out);
        writeNow(out);
      } while (!task.isDone());
      writeWaiting(out);
      write(last(), out);
    } catch (IOException e) {
      if (disconnectPolicy == DisconnectPolicy.CANCEL) {
        task.cancel(true);
      }
      // The work keeps the slot of its request until it has ended, even when it was cancelled.
      thread.join();
      throw e;
    }
  }

  /** Waits for the end of the work, or until the next line is due. */
  private void await() throws InterruptedException {
    try {
      JsonNode unused = task.get(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | CancellationException e) {
      // The last line tells the failure.
    }
  }

  private void writeNow(OutputStream out) throws IOException {
    if (now.isPresent()) {
      write(now.get(), out);
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
