// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Requests at the same time. */
final class Parallel implements AutoCloseable {

  private static final int MOST = 16;
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          MOST,
          task -> {
            Thread thread = new Thread(task, "tidemark-ledger-" + COUNT.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });

  /** Runs all of them, one in this thread, and waits for all; fails as the first one that did. */
  void run(List<Runnable> tasks) {
    List<Future<?>> others = new ArrayList<>();
    for (Runnable task : tasks.subList(1, tasks.size())) {
      others.add(threads.submit(task));
    }
    RuntimeException failure = null;
    try {
      tasks.get(0).run();
    } catch (RuntimeException e) {
      failure = e;
    }
    for (Future<?> other : others) {
      RuntimeException failed = outcome(other);
      failure = failure == null ? failed : failure;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** An interrupt is kept for afterwards: what was begun has to be waited for. */
  private static @Nullable RuntimeException outcome(Future<?> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          future.get();
          return null;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          return e.getCause() instanceof RuntimeException known
              ? known
              : new IllegalStateException(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
