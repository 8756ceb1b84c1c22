// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

/** Progress of one handler of a runner. Guarded by its {@link HandlerScheduler}. */
final class HandlerProgress {
  private final HandlerRegistration handlerRegistration;

  private int running;
  private int claimed;
  private boolean dry = true; // until a worker has looked
  private boolean scouted;

  HandlerProgress(HandlerRegistration handlerRegistration) {
    this.handlerRegistration = handlerRegistration;
  }

  HandlerRegistration registration() {
    return handlerRegistration;
  }

  /** Starts an iteration: new events may be there, and the handler may claim again. */
  void refresh() {
    claimed = 0;
    dry = false;
    scouted = false;
  }

  void markWorkAvailable() {
    dry = false;
  }

  /** Returns whether the handler has no work as far as is known. */
  boolean hasNoWork() {
    return dry;
  }

  boolean isBusy() {
    return running >= handlerRegistration.concurrency();
  }

  boolean isBudgetUsed(int claimLimit) {
    return claimed >= claimLimit;
  }

  /** Begins a turn; returns whether it is the first of the iteration. */
  boolean begin() {
    boolean first = !scouted;
    scouted = true;
    running++;
    claimed++;
    return first;
  }

  void recordNoWork() {
    running--;
    claimed = Math.max(0, claimed - 1); // the iteration may be another by now
    dry = true;
  }

  void end() {
    running--;
  }
}
