// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The two pools of threads that all rooms of this process share: one for work that waits for
 * requests, one for work that computes. Their threads are started when there is such work, because
 * to start one takes longer than many a request, and end when there has been none for a while.
 */
public final class SharedExecutors {

  private static final long IDLE_SECONDS = 10;

  /**
   * Executor with as many threads as tasks are under way, so tasks may wait for each other; callers
   * bound their number.
   */
  private static final ExecutorService WAITING =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          named("tidemark-requests-"));

  private static final ExecutorService COMPUTING = computeExecutor();

  private SharedExecutors() {}

  private static ExecutorService computeExecutor() {
    int helpers = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            helpers,
            helpers,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            named("tidemark-cores-"));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ThreadFactory named(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Returns the threads for work that waits. */
  static ExecutorService blocking() {
    return WAITING;
  }

  /**
   * Returns the threads that help with large computations: one for each core but that of the
   * caller. A caller must not depend on them: they may all be busy.
   */
  public static Executor computing() {
    return COMPUTING;
  }

  /** Starts work that waits, such as a request. */
  public static <T> CompletableFuture<T> start(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, WAITING);
  }

  /**
   * Returns the result of work, or fails as it did. An interrupt is kept for afterwards, as it is
   * for work that is done in this thread: what was begun has to be waited for.
   */
  public static <T> T await(Future<T> work) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return work.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw e.getCause() instanceof RuntimeException known
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
}
