// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.db.Session;
import io.tidemark.features.db.Storage;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that do the same, each with a connection of its own. The first failure is the one that
 * counts, and ends the others.
 */
final class Crew implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

  private final Stop stop;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** What each does in a session of its own. */
  @FunctionalInterface
  interface Work {
    void with(Session own) throws InterruptedException;
  }

  private Crew(Stop stop) {
    this.stop = stop;
  }

  static Crew start(int size, Storage storage, Stop stop, Work work) {
    Crew crew = new Crew(stop);
    for (int i = 0; i < size; i++) {
      Thread thread = new Thread(() -> crew.run(storage, work), "tidemark-load-" + i);
      thread.setDaemon(true);
      crew.threads.add(thread);
    }
    crew.threads.forEach(Thread::start);
    return crew;
  }

  private void run(Storage storage, Work work) {
    try (Session own = storage.take()) {
      try {
        work.with(own);
      } finally {
        stop.leave(own);
        undo(own);
      }
    } catch (RuntimeException | Error | InterruptedException e) {
      if (!failure.compareAndSet(null, e)) {
        LOG.debug("another one has failed before", e);
      }
    }
  }

  private static void undo(Session own) {
    try {
      own.rollback();
    } catch (TidemarkException e) {
      LOG.debug("a connection is gone, and with it what wasn't committed", e);
    }
  }

  /** Fails if one has. */
  void check() {
    stop.check();
    Throwable why = failure.get();
    if (why != null) {
      throw reported(why);
    }
  }

  /** Waits until all have ended by themselves. */
  void await() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    check();
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

  /** Ends all that are still at it. */
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    if (running().isPresent()) {
      stop.cancel();
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
