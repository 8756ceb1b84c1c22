// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.threads;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of this process that help with large work: one for each core but that of the caller,
 * shared by all rooms. They are started when there is such work, and end when there has been none
 * for a while.
 */
final class Cores {

  private static final long IDLE_SECONDS = 10;

  /** What work holds in memory at a time is taken to be no more than this. */
  private static final long BYTES_EACH = 96 << 20;

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final int NUMBER = Runtime.getRuntime().availableProcessors();
  private static final Executor THREADS = threads();

  private Cores() {}

  private static Executor threads() {
    int helpers = Math.max(1, NUMBER - 1);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            helpers,
            helpers,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Cores::daemon);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "tidemark-cores-" + COUNT.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  /** How many pieces of work may be under way at once: fewer than cores where memory is short. */
  static int number() {
    long fitting = Runtime.getRuntime().maxMemory() / BYTES_EACH - 1;
    return (int) Math.max(1, Math.min(NUMBER, fitting));
  }

  static void help(Runnable work) {
    THREADS.execute(work);
  }
}
