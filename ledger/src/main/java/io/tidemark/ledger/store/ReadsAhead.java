// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads what is needed one after the other before it is its turn, so that a thousand small objects
 * on a store with latency don't take a thousand round trips. So many are asked for or lie ready at
 * any time, and no more.
 *
 * @param <S> what is asked for
 * @param <T> what is got
 */
public final class ReadsAhead<S, T> implements AutoCloseable {

  /** Some megabytes of small files, and fewer than the connections that a client keeps. */
  static final int AT_ONCE = 16;

  private static final long IDLE_SECONDS = 10;

  /**
   * Shared by all: most reads are of a file or two, and to start a thread takes longer than that.
   * There are as many as reads are under way, so one may wait for others; who reads asks for a
   * bounded number at a time.
   */
  private static final Executor THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          ReadsAhead::daemon);

  private final Iterator<S> rest;
  private final Function<S, T> read;
  private final Consumer<T> discard;
  private final Deque<CompletableFuture<T>> asked = new ArrayDeque<>();
  private int window;
  private volatile boolean closed;

  private ReadsAhead(List<S> wanted, Function<S, T> read, Consumer<T> discard, int window) {
    this.rest = wanted.iterator();
    this.read = read;
    this.discard = discard;
    this.window = window;
    ask();
  }

  /**
   * For who wants all of them.
   *
   * @param discard is told of what was read and isn't wanted any more
   */
  public static <S, T> ReadsAhead<S, T> of(
      List<S> wanted, Function<S, T> read, Consumer<T> discard) {
    return new ReadsAhead<>(wanted, read, discard, AT_ONCE);
  }

  /** For who may have enough soon: begins with one, and reads the more ahead the longer it goes. */
  static <S, T> ReadsAhead<S, T> gently(List<S> wanted, Function<S, T> read, Consumer<T> discard) {
    return new ReadsAhead<>(wanted, read, discard, 1);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "tidemark-ledger-reader");
    thread.setDaemon(true);
    return thread;
  }

  private void ask() {
    while (asked.size() < window && rest.hasNext()) {
      S next = rest.next();
      asked.add(CompletableFuture.supplyAsync(() -> read(next), THREADS));
    }
  }

  private T read(S wanted) {
    if (closed) {
      throw new CancellationException("nobody wants it any more");
    }
    return read.apply(wanted);
  }

  /** The next one; fails as reading it failed, whatever became of those behind it. */
  public T next() {
    ask(); // not before: who has got one may find that it is enough
    window = Math.min(window + 1, AT_ONCE);
    return outcome(asked.remove());
  }

  /** An interrupt is kept for afterwards, as it is for a request that is made in this thread. */
  private static <T> T outcome(Future<T> future) {
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

  /**
   * What is under way when reading ends early is discarded as soon as it is there; it isn't
   * cancelled, since what a read that was cancelled brings is known to nobody.
   */
  @Override
  public void close() {
    closed = true;
    for (CompletableFuture<T> future : asked) {
      // That it couldn't be read is of no interest to who doesn't want it.
      CompletableFuture<Void> unused = future.thenAccept(discard);
    }
  }
}
