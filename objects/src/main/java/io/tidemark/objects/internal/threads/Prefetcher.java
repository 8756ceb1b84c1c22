// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.threads;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Prefetcher of values that are read one after the other, so that a thousand small objects on a
 * store with latency don't take a thousand round trips. So many are asked for or lie ready at any
 * time, and no more.
 *
 * @param <S> what is asked for
 * @param <T> what is got
 */
public final class Prefetcher<S, T> implements AutoCloseable {

  /** Some megabytes of small files, and fewer than the connections that a client keeps. */
  static final int AT_ONCE = 16;

  private final Iterator<S> rest;
  private final Function<S, T> read;
  private final Consumer<T> discard;
  private final Deque<CompletableFuture<T>> asked = new ArrayDeque<>();
  private int window;
  private volatile boolean closed;

  private Prefetcher(List<S> wanted, Function<S, T> read, Consumer<T> discard, int window) {
    this.rest = wanted.iterator();
    this.read = read;
    this.discard = discard;
    this.window = window;
    startReads();
  }

  /**
   * Returns a prefetcher for a caller that reads all values.
   *
   * @param discard receives values that were read and aren't needed any more
   */
  public static <S, T> Prefetcher<S, T> of(
      List<S> wanted, Function<S, T> read, Consumer<T> discard) {
    return new Prefetcher<>(wanted, read, discard, AT_ONCE);
  }

  /**
   * Returns a prefetcher for a caller that may stop soon: it begins with one value, and reads
   * further ahead the longer it goes.
   */
  public static <S, T> Prefetcher<S, T> withSlowStart(
      List<S> wanted, Function<S, T> read, Consumer<T> discard) {
    return new Prefetcher<>(wanted, read, discard, 1);
  }

  /** Returns what is read of all of them, in order; reading begins when the stream is consumed. */
  public static <S, T> Stream<T> stream(List<S> wanted, Function<S, T> read) {
    if (wanted.size() < 2) {
      return wanted.stream().map(read); // another thread would be no faster
    }
    Iterator<T> results =
        new Iterator<>() {
          private @Nullable Prefetcher<S, T> ahead;
          private int left = wanted.size();

          @Override
          public boolean hasNext() {
            return left > 0;
          }

          @Override
          public T next() {
            if (left == 0) {
              throw new NoSuchElementException();
            }
            if (ahead == null) {
              ahead = of(wanted, read, unwanted -> {});
            }
            left--;
            return ahead.next();
          }
        };
    return StreamSupport.stream(
        Spliterators.spliterator(results, wanted.size(), Spliterator.ORDERED), false);
  }

  private void startReads() {
    while (asked.size() < window && rest.hasNext()) {
      S next = rest.next();
      asked.add(SharedExecutors.start(() -> read(next)));
    }
  }

  private T read(S wanted) {
    if (closed) {
      throw new CancellationException("nobody wants it any more");
    }
    return read.apply(wanted);
  }

  /** Returns the next one; fails as reading it failed, whatever became of those behind it. */
  public T next() {
    startReads(); // not before: who has got one may find that it is enough
    window = Math.min(window + 1, AT_ONCE);
    return SharedExecutors.await(asked.remove());
  }

  /**
   * Discards each value that is under way as soon as its read ends. Such reads aren't cancelled,
   * since the value of a cancelled read would be lost without being discarded.
   */
  @Override
  public void close() {
    closed = true;
    for (CompletableFuture<T> future : asked) {
      // A failed read is of no interest to a caller that doesn't need the value.
      CompletableFuture<Void> unused = future.thenAccept(discard);
    }
  }
}
