// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Threads that do the same thing at the same time; they stay, since starting them takes time. */
public final class WorkerThreads implements AutoCloseable {

  /** What each thread does. */
  @FunctionalInterface
  public interface Task {
    void run(int thread) throws Exception;
  }

  private final int threads;
  private final ExecutorService pool;

  public WorkerThreads(int threads) {
    this.threads = threads;
    this.pool =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "bench-crew");
              thread.setDaemon(true);
              return thread;
            });
  }

  public int threads() {
    return threads;
  }

  /** A workload of which each thread does its share. */
  public Workload each(IntConsumer call) {
    return operations ->
        run(
            thread -> {
              for (int i = share(operations, thread); i > 0; i--) {
                call.accept(thread);
              }
            });
  }

  /** How many of all operations are a thread's. */
  public int share(int operations, int thread) {
    return (operations + threads - 1 - thread) / threads;
  }

  /** Returns when all have done it. */
  public void run(Task task) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      running.add(
          pool.submit(
              () -> {
                task.run(thread);
                return null;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
