// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.commit.WritingStoppedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Gate at which a writer whose process has to end stops: before a step, never within one. A step is
 * work that would leave something behind if the process ended in the middle of it, such as a lock
 * that was taken and not yet noted as ours.
 */
public final class ShutdownGate {

  private final String location;
  private boolean stopped;
  private int underWay;

  /** Creates the gate of the ledger at a location. */
  public ShutdownGate(String location) {
    this.location = location;
  }

  /**
   * Runs a step.
   *
   * @throws WritingStoppedException when the gate is closed
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
   * Checks that the next step may begin.
   *
   * @throws WritingStoppedException when the gate is closed
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
   * Closes the gate to further steps, and waits for the step that is under way, up to a limit.
   *
   * @return whether no step is under way any more
   */
  public synchronized boolean stop(Duration limit) {
    stopped = true;
    long end = System.nanoTime() + limit.toNanos();
    try {
      for (long left = limit.toNanos(); underWay > 0 && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // an interrupt ends the wait early
    }
    return underWay == 0;
  }
}
