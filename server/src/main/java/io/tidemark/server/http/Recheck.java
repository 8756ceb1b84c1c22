// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Has it looked now and then whether those who stay for long still may. The gate may have to ask
 * others for that, so it is asked by a thread of its own and nobody else waits for it.
 */
public final class Recheck implements AutoCloseable {

  private final Duration every;
  private final ExecutorService asking =
      new ThreadPoolExecutor(
          0,
          1,
          5,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Recheck::thread,
          new ThreadPoolExecutor.DiscardPolicy());

  public Recheck(Duration every) {
    this.every = every;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "tidemark-recheck");
    thread.setDaemon(true);
    return thread;
  }

  boolean isDue(long lastNanos, long nowNanos) {
    return nowNanos - lastNanos >= every.toNanos();
  }

  /** Not any more once it is closed. */
  void ask(Runnable question) {
    asking.execute(question);
  }

  @Override
  public void close() {
    asking.shutdownNow();
  }
}
