// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Lets threads start together and collects what each brings back. */
final class Race {
  private static final long LIMIT_MINUTES = 5;

  private Race() {}

  /** What one thread does. */
  @FunctionalInterface
  interface Runner<T> {
    T run(int thread) throws Exception;
  }

  /** Runs all of them; fails with the first failure of any. */
  static <T> List<T> run(int threads, Runner<T> runner) throws Exception {
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(
            pool.submit(
                () -> {
                  start.await(LIMIT_MINUTES, TimeUnit.MINUTES);
                  return runner.run(thread);
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get(LIMIT_MINUTES, TimeUnit.MINUTES));
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }
}
