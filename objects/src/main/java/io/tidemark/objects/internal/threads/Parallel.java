// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Requests at the same time, up to a number for each of these. Their threads are shared by all,
 * because to start one takes longer than many a request; those that aren't needed for a while end.
 */
public final class Parallel {

  /** More than types a commit usually touches, and fewer than connections a client keeps. */
  private static final int MOST = 32;

  private final Semaphore lanes = new Semaphore(MOST);

  /**
   * Runs all of them, some in this thread, and waits for all; fails as the first in the list that
   * did.
   */
  public void run(List<Runnable> tasks) {
    Work work = new Work(tasks);
    List<Future<?>> others = new ArrayList<>();
    // What there is no lane for is done by those that there are, at the least by this thread.
    while (others.size() < tasks.size() - 1 && lanes.tryAcquire()) {
      others.add(SharedExecutors.blocking().submit(() -> runWithPermit(work)));
    }
    work.take();
    others.forEach(SharedExecutors::await);
    work.throwFirstFailure();
  }

  private void runWithPermit(Work work) {
    try {
      work.take();
    } finally {
      lanes.release();
    }
  }

  /** Tasks that are taken one by one, and how they ended. */
  private static final class Work {
    private final List<Runnable> tasks;
    private final AtomicInteger next = new AtomicInteger();

    /** By the task; each is written by the thread that took it, and read when all are done. */
    private final @Nullable RuntimeException[] failures;

    Work(List<Runnable> tasks) {
      this.tasks = tasks;
      this.failures = new @Nullable RuntimeException[tasks.size()];
    }

    void take() {
      for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
        try {
          tasks.get(i).run();
        } catch (RuntimeException e) {
          failures[i] = e;
        }
      }
    }

    void throwFirstFailure() {
      for (RuntimeException failure : failures) {
        if (failure != null) {
          throw failure;
        }
      }
    }
  }
}
