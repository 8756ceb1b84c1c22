// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Thread with a stack that the deepest statement fits on. DuckDB plans by recursion and limits its
 * depth to 1,000 levels, which overflow the usual stack of a thread of Java, and end the process.
 */
final class LargeStackThread {

  /** Eight times what 1,000 levels of any kind of expression were seen to need. */
  private static final long BYTES = 64L << 20;

  private LargeStackThread() {}

  /** Work with DuckDB. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Does some work on such a thread and waits for its end. */
  static <T> T call(Work<T> work) throws SQLException {
    FutureTask<T> task = new FutureTask<>(work::run);
    Thread thread = new Thread(null, task, "tidemark-sql", BYTES);
    thread.setDaemon(true);
    thread.start();
    return ended(task);
  }

  private static <T> T ended(FutureTask<T> task) throws SQLException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true; // only its limits or its token end a statement
        } catch (ExecutionException e) {
          throw rethrown(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static SQLException rethrown(@Nullable Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof SQLException failure ? failure : new SQLException(cause);
  }
}
