// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Concurrency limit with a bounded queue. Requests in the queue hold no thread.
 *
 * <p>Jetty's {@code QoSHandler} counts a request until its answer is complete, however little of
 * that time it has a thread. With it WatchCrowdTest's {@code
 * aThousandWhoWaitCostNoThreadsAndLittleMemory} fails, since streams that wait for events use up
 * the limit. AbuseTest's {@code whoSendsAByteNowAndThenHoldsUpNobodyAndIsClosed} fails too, since
 * slow bodies do the same.
 */
final class BoundedDispatchQueue {

  private final int most;
  private final int longest;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int busy;

  /**
   * Creates an empty queue.
   *
   * @param most maximum number of requests in progress
   * @param longest maximum length of the queue
   */
  BoundedDispatchQueue(int most, int longest) {
    this.most = most;
    this.longest = longest;
  }

  /**
   * Runs work now, or queues it until a slot is free.
   *
   * @param threads executor of queued work
   * @return false if the queue is full; the work isn't run then
   */
  boolean tryExecute(Runnable work, Executor threads) {
    synchronized (this) {
      if (busy == most) {
        return waiting.size() < longest && waiting.add(work);
      }
      busy++;
    }
    run(work, threads);
    return true;
  }

  private void run(Runnable work, Executor threads) {
    try {
      work.run();
    } finally {
      Runnable next;
      synchronized (this) {
        next = waiting.poll();
        busy -= next == null ? 1 : 0;
      }
      if (next != null) {
        // On another thread, since this one still has to serve its own connection.
        threads.execute(() -> run(next, threads));
      }
    }
  }
}
