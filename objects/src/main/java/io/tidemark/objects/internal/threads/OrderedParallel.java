// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.threads;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Executor that runs pieces of work in parallel, with results in the order in which the pieces were
 * given. Only a few are under way at once, so that their memory is bounded.
 *
 * <p>The thread that gives work does its share of it: it runs pieces that no thread has begun
 * before it waits for any result. So work is done even if no other thread is free, and nothing can
 * deadlock.
 *
 * <p>For use by one thread. The results are handed on in that thread.
 */
public final class OrderedParallel<T> implements AutoCloseable {

  private final Consumer<T> results;
  private final int most;
  private final Deque<Task<T>> underWay = new ArrayDeque<>();

  /** Hands on results as they become available, while more work is given or at the end. */
  public OrderedParallel(Consumer<T> results) {
    this(results, maxInFlight());
  }

  /**
   * Hands on results as they become available, with a maximum number of pieces under way at once.
   *
   * @param most maximum number of pieces under way; 0 to run each in the thread that gives it
   */
  public OrderedParallel(Consumer<T> results, int most) {
    this.results = results;
    this.most = most;
  }

  /**
   * Returns how many pieces to have under way: one more than are worked on at once, so that no
   * thread waits for the next one to be made; but where memory is short, not even that.
   */
  public static int maxInFlight() {
    return Cores.number() == 1 ? 1 : Cores.number() + 1;
  }

  /** Returns how many pieces are worth making of work that can be cut at will. */
  public static int recommendedTasks() {
    return Cores.number();
  }

  /**
   * Adds a piece of work. Waits for earlier pieces when many are under way.
   *
   * @throws RuntimeException as thrown by a piece that was given before, or by this one
   */
  public void add(Supplier<T> work) {
    if (most == 0) {
      results.accept(work.get());
      return;
    }
    while (underWay.size() >= most) {
      deliverNext();
    }
    Task<T> piece = new Task<>(work);
    underWay.add(piece);
    SharedExecutors.computing().execute(piece);
  }

  /**
   * Waits for all that was given.
   *
   * @throws RuntimeException as thrown by a piece that was given before
   */
  public void finish() {
    while (!underWay.isEmpty()) {
      deliverNext();
    }
  }

  private void deliverNext() {
    Task<T> next = underWay.element();
    for (Task<T> piece : underWay) {
      if (next.isDone()) {
        break;
      }
      piece.run();
    }
    try {
      results.accept(next.result());
    } finally {
      underWay.remove();
    }
  }

  /** Gives up what isn't done yet. */
  @Override
  public void close() {
    underWay.forEach(Task::cancel);
    underWay.clear();
  }

  /** Piece of work that is run once, by the first thread that takes it. */
  private static final class Task<T> implements Runnable {
    private final AtomicBoolean begun = new AtomicBoolean();
    private final FutureTask<T> task;

    Task(Supplier<T> work) {
      this.task = new FutureTask<>(work::get);
    }

    @Override
    public void run() {
      if (begun.compareAndSet(false, true)) {
        task.run();
      }
    }

    boolean isDone() {
      return task.isDone();
    }

    void cancel() {
      begun.set(true);
    }

    T result() {
      return SharedExecutors.await(task);
    }
  }
}
