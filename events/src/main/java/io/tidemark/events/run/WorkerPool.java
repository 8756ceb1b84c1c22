// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.objects.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of a runner: one that runs its loop, those that handle events, and one that renews leases
 * as long as any of these runs.
 */
final class WorkerPool {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);

  private final String name;
  private final int size;
  private final List<Thread> leaders = new ArrayList<>();
  private final List<Thread> workers = new ArrayList<>();

  WorkerPool(String name, int size) {
    this.name = name;
    this.size = size;
  }

  /** Starts the loop; returns false when it was started before. */
  synchronized boolean startLeader(Runnable loop) {
    if (!leaders.isEmpty()) {
      return false;
    }
    leaders.add(daemon("loop", loop));
    leaders.forEach(Thread::start);
    return true;
  }

  /** Starts the workers, unless they run already. */
  synchronized void startWorkers(Runnable worker, LeaseRenewer leaseRenewer) {
    if (!workers.isEmpty() || size == 0) {
      return;
    }
    for (int i = 1; i <= size; i++) {
      workers.add(daemon("worker-" + i, worker));
    }
    workers.forEach(Thread::start);
    daemon("renewals", () -> keepRenewing(leaseRenewer)).start();
  }

  private void keepRenewing(LeaseRenewer leaseRenewer) {
    while (alive(threads()) > 0) {
      MonotonicTime.system().pause(leaseRenewer.interval());
      try {
        int unused = leaseRenewer.renewDue();
      } catch (RuntimeException e) {
        LOG.error("leases aren't renewed at the moment", e);
      }
    }
  }

  /** Waits for all threads to end, and interrupts those that take too long. */
  void end(Duration grace) {
    List<Thread> all = threads();
    try {
      if (!join(all, grace)) {
        LOG.warn("{} threads of {} are interrupted after {}", alive(all), name, grace);
        all.forEach(Thread::interrupt);
        boolean unused = join(all, grace);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized List<Thread> threads() {
    List<Thread> all = new ArrayList<>(leaders);
    all.addAll(workers);
    return all;
  }

  private Thread daemon(String what, Runnable work) {
    Thread thread = new Thread(work, name + "-" + what);
    thread.setDaemon(true);
    return thread;
  }

  private static long alive(List<Thread> threads) {
    return threads.stream().filter(Thread::isAlive).count();
  }

  /** Waits for threads to end; returns whether they all have. */
  private static boolean join(List<Thread> threads, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    for (Thread thread : threads) {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, end - System.nanoTime()));
    }
    return alive(threads) == 0;
  }
}
