// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.SqlSession;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that run one task in parallel, each with a connection of its own. The first failure is
 * reported and stops the other threads.
 */
final class LoadThreads implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LoadThreads.class);

  private final LoadCancellation loadCancellation;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** Task that each thread runs in a session of its own. */
  @FunctionalInterface
  interface Work {
    void with(SqlSession own) throws InterruptedException;
  }

  private LoadThreads(LoadCancellation loadCancellation) {
    this.loadCancellation = loadCancellation;
  }

  static LoadThreads start(
      int size, FeatureStorage featureStorage, LoadCancellation loadCancellation, Work work) {
    LoadThreads loadThreads = new LoadThreads(loadCancellation);
    for (int i = 0; i < size; i++) {
      Thread thread = new Thread(() -> loadThreads.run(featureStorage, work), "tidemark-load-" + i);
      thread.setDaemon(true);
      loadThreads.threads.add(thread);
    }
    loadThreads.threads.forEach(Thread::start);
    return loadThreads;
  }

  private void run(FeatureStorage featureStorage, Work work) {
    try (SqlSession own = featureStorage.session()) {
      try {
        work.with(own);
      } finally {
        loadCancellation.unregister(own);
        undo(own);
      }
    } catch (RuntimeException | Error | InterruptedException e) {
      if (!failure.compareAndSet(null, e)) {
        LOG.debug("another one has failed before", e);
      }
    }
  }

  private static void undo(SqlSession own) {
    try {
      own.rollback();
    } catch (TidemarkException e) {
      LOG.debug("a connection is gone, and with it what wasn't committed", e);
    }
  }

  /** Fails if one has. */
  void throwIfFailed() {
    loadCancellation.throwIfCancelled();
    Throwable why = failure.get();
    if (why != null) {
      throw reported(why);
    }
  }

  /** Waits until all threads have ended by themselves. */
  void await() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    throwIfFailed();
  }

  Optional<Thread> running() {
    return threads.stream().filter(Thread::isAlive).findFirst();
  }

  private static RuntimeException reported(Throwable why) {
    if (why instanceof TidemarkException known) {
      return known;
    }
    return new IllegalStateException("a thread of a load has failed", why);
  }

  /** Stops the threads that are still running. */
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    if (running().isPresent()) {
      loadCancellation.cancel();
    }
    for (Thread thread : threads) {
      boolean interrupted = false;
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
