// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.objects.TidemarkException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Several reads at a time. Their threads are shared by all, because to start one takes longer than
 * most reads; there are as many as reads are under way, and those that aren't needed for a while
 * end.
 */
final class Parallel {

  private static final int READS = 16;
  private static final long IDLE_SECONDS = 10;

  private static final Executor THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Parallel::daemon);

  private Parallel() {}

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "names-reader");
    thread.setDaemon(true);
    return thread;
  }

  static <T> CompletableFuture<T> start(Supplier<T> read) {
    return CompletableFuture.supplyAsync(read, THREADS);
  }

  /** The result, or the error as it was. */
  static <T> T await(CompletableFuture<T> read) {
    try {
      return read.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof TidemarkException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Applies a function to all, some ahead of where the consumer is, and keeps their order. */
  static <S, T> Stream<T> inOrder(Iterator<S> sources, Function<S, T> read) {
    Queue<CompletableFuture<T>> ahead = new ArrayDeque<>();
    Iterator<T> results =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return !ahead.isEmpty() || sources.hasNext();
          }

          @Override
          public T next() {
            while (ahead.size() < READS && sources.hasNext()) {
              S source = sources.next();
              ahead.add(start(() -> read.apply(source)));
            }
            CompletableFuture<T> first = ahead.poll();
            if (first == null) {
              throw new NoSuchElementException();
            }
            return await(first);
          }
        };
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(results, Spliterator.ORDERED), false);
  }
}
