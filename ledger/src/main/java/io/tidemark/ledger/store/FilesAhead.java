// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.ledger.store.TypeFiles.Source;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Fetches files that are read one after the other before it is their turn, so that a thousand small
 * ones on a store with latency don't take a thousand round trips. So many are asked for or lie
 * ready at any time, and no more; who fetches leaves out those that are large, for which the round
 * trip is the smaller part.
 */
final class FilesAhead implements AutoCloseable {

  /** Some megabytes of small files, and fewer than the connections that a client keeps. */
  static final int AT_ONCE = 16;

  private final Iterator<Source> rest;
  private final Function<Source, Optional<byte[]>> fetch;
  private final ExecutorService threads;
  private final Deque<Future<Optional<byte[]>>> asked = new ArrayDeque<>();

  FilesAhead(List<Source> sources, Function<Source, Optional<byte[]>> fetch) {
    this.rest = sources.iterator();
    this.fetch = fetch;
    this.threads =
        Executors.newFixedThreadPool(Math.min(AT_ONCE, sources.size()), FilesAhead::daemon);
    for (int i = 0; i < AT_ONCE; i++) {
      ask();
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "tidemark-ledger-reader");
    thread.setDaemon(true);
    return thread;
  }

  private void ask() {
    if (rest.hasNext()) {
      Source source = rest.next();
      asked.add(threads.submit(() -> fetch.apply(source)));
    }
  }

  /**
   * The next file, as it was fetched; fails as fetching it failed, whatever became of those behind
   * it.
   */
  Optional<byte[]> next() {
    try {
      return outcome(asked.remove());
    } finally {
      ask();
    }
  }

  /** An interrupt is kept for afterwards, as it is for a request that is made in this thread. */
  private static Optional<byte[]> outcome(Future<Optional<byte[]>> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException known) {
            throw known;
          }
          throw new IllegalStateException(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What is under way when reading ends early comes to nothing. */
  @Override
  public void close() {
    asked.forEach(future -> future.cancel(false));
    threads.shutdown();
  }
}
