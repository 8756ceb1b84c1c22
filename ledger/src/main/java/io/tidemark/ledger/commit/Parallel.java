// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Requests at the same time. Threads that aren't needed for a while end. */
public final class Parallel implements AutoCloseable {

  /** More than types a commit usually touches, and fewer than connections a client keeps. */
  private static final int MOST = 32;

  private static final long IDLE_SECONDS = 10;
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final ExecutorService threads = threads();

  private static ExecutorService threads() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            MOST,
            MOST,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Parallel::daemon);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "tidemark-ledger-" + COUNT.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  /** Runs all of them, one in this thread, and waits for all; fails as the first one that did. */
  public void run(List<Runnable> tasks) {
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
