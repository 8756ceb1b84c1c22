// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;

/** Lets threads start together and collects what each brings back. */
public final class Race {
  private static final long LIMIT_MINUTES = 5;

  private Race() {}

  /** What one thread does. */
  @FunctionalInterface
  public interface Runner<T> {
    T run(int thread) throws Exception;
  }

  /** What one thread does in one round. */
  @FunctionalInterface
  public interface RoundRunner {
    void run(int thread, int round) throws Exception;
  }

  /**
   * Lets threads do so many rounds, each of which all begin together: a single start is soon
   * forgotten, and on a fast store the first thread would be through before the last one wakes up.
   */
  public static void rounds(int threads, int rounds, RoundRunner runner) throws Exception {
    Phaser start = new Phaser(threads);
    run(
        threads,
        thread -> {
          try {
            for (int round = 0; round < rounds; round++) {
              start.arriveAndAwaitAdvance();
              runner.run(thread, round);
            }
          } finally {
            start.arriveAndDeregister(); // so that one failure doesn't stop the others for good
          }
          return thread;
        });
  }

  /** Runs all of them; fails with the first failure of any. */
  public static <T> List<T> run(int threads, Runner<T> runner) throws Exception {
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
