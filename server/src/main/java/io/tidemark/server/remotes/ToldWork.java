// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.UnicodeText;
import io.tidemark.objects.TidemarkException;
import io.tidemark.remotes.transfer.CopyProgress;
import io.tidemark.server.http.Problem;
import io.tidemark.server.http.ProblemException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does something that takes its time, and says meanwhile how far it is: a line of JSON now and
 * then, also when nothing is new, so that nobody takes it for dead. The last line has its end. When
 * its caller goes away the work is brought to its end all the same.
 */
final class ToldWork {

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final FutureTask<ObjectNode> task;
  private final String requestId;
  private volatile Copied copied = new Copied(0, 0, 0);

  private record Copied(long commits, long ofCommits, long bytes) {}

  ToldWork(Function<CopyProgress, ObjectNode> work, String requestId) {
    this.task = new FutureTask<>(() -> work.apply(this::at));
    this.requestId = requestId;
  }

  /** By many threads at once; what is older than what was told last isn't news. */
  private synchronized void at(long commits, long ofCommits, long bytes) {
    if (commits >= copied.commits()) {
      copied = new Copied(commits, ofCommits, bytes);
    }
  }

  void to(OutputStream out) throws IOException {
    write(line(), out); // nothing is begun for who is gone already
    Thread thread = new Thread(task, "tidemark-remotes");
    thread.setDaemon(true);
    thread.start();
    try {
      tell(out);
    } catch (InterruptedException e) {
      task.cancel(true);
      throw new InterruptedIOException("the server stops");
    }
  }

  private void tell(OutputStream out) throws IOException, InterruptedException {
    try {
      do {
        await();
        write(line(), out);
      } while (!task.isDone());
      write(last(), out);
    } catch (IOException e) {
      while (!task.isDone()) {
        await();
      }
      throw e;
    }
  }

  private void await() throws InterruptedException {
    try {
      ObjectNode unused = task.get(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // How it ended is told in the last line.
    }
  }

  private ObjectNode line() {
    Copied now = copied;
    return JsonNodeFactory.instance
        .objectNode()
        .put("commits", now.commits())
        .put("of_commits", now.ofCommits())
        .put("bytes", now.bytes());
  }

  private ObjectNode last() throws IOException, InterruptedException {
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

  private static void write(ObjectNode line, OutputStream out) throws IOException {
    out.write(UnicodeText.bytes(line));
    out.write('\n');
    out.flush();
  }
}
