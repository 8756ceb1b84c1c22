// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Lets so many be answered at a time. Others stand in line, where they hold no thread.
 *
 * <p>Jetty's {@code QoSHandler} keeps a place until an answer is complete, however little of that
 * time it has a thread. With it WatchCrowdTest's {@code
 * aThousandWhoWaitCostNoThreadsAndLittleMemory} fails, since streams that wait for events take all
 * places, and so does AbuseTest's {@code whoSendsAByteNowAndThenHoldsUpNobodyAndIsClosed}, where
 * bodies that come slowly do.
 */
final class BoundedDispatchQueue {

  private final int most;
  private final int longest;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int busy;

  /**
   * One with nobody in it.
   *
   * @param most how many are answered at a time
   * @param longest how many may stand in line
   */
  BoundedDispatchQueue(int most, int longest) {
    this.most = most;
    this.longest = longest;
  }

  /**
   * Does something now, or has it done when it is its turn.
   *
   * @param threads do what has waited
   * @return false when the line is too long; then it isn't done
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
        // By another thread: this one has its own connection to see to.
        threads.execute(() -> run(next, threads));
      }
    }
  }
}
