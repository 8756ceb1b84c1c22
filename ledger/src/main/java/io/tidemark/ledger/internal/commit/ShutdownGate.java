// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.commit.WritingStoppedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Where a writer whose process has to end stops: before a step, never within one. A step is what
 * would leave something behind if the process ended in the middle of it, such as a lock that was
 * taken and not yet noted as ours.
 */
public final class ShutdownGate {

  private final String location;
  private boolean stopped;
  private int underWay;

  /** For a ledger in this place. */
  public ShutdownGate(String location) {
    this.location = location;
  }

  /**
   * Takes a step.
   *
   * @throws WritingStoppedException when no more are taken
   */
  public <T> T runStep(Supplier<T> step) {
    enter();
    try {
      return step.get();
    } finally {
      leave();
    }
  }

  /**
   * Goes on to the next step, unless it is time to stop.
   *
   * @throws WritingStoppedException when it is
   */
  public synchronized void check() {
    if (stopped) {
      throw new WritingStoppedException(location);
    }
  }

  private synchronized void enter() {
    check();
    underWay++;
  }

  private synchronized void leave() {
    underWay--;
    notifyAll();
  }

  /**
   * Lets no further step begin, and waits for the one that is under way, but not for longer.
   *
   * @return whether none is under way any more
   */
  public synchronized boolean stop(Duration limit) {
    stopped = true;
    long end = System.nanoTime() + limit.toNanos();
    try {
      for (long left = limit.toNanos(); underWay > 0 && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // in more of a hurry than we thought
    }
    return underWay == 0;
  }
}
