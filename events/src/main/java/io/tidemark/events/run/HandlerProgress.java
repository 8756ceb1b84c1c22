// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

/** How one handler of a runner is getting on. Guarded by its {@link HandlerScheduler}. */
final class HandlerProgress {
  private final HandlerRegistration handlerRegistration;

  private int running;
  private int claimed;
  private boolean dry = true; // until somebody has looked
  private boolean scouted;

  HandlerProgress(HandlerRegistration handlerRegistration) {
    this.handlerRegistration = handlerRegistration;
  }

  HandlerRegistration registration() {
    return handlerRegistration;
  }

  /** New events may be there, and it may claim anew. */
  void refresh() {
    claimed = 0;
    dry = false;
    scouted = false;
  }

  void markWorkAvailable() {
    dry = false;
  }

  /** Whether there is no work for it as far as is known. */
  boolean hasNoWork() {
    return dry;
  }

  boolean isBusy() {
    return running >= handlerRegistration.concurrency();
  }

  boolean isBudgetUsed(int claimLimit) {
    return claimed >= claimLimit;
  }

  /** Begins a turn; whether it is the first of the iteration. */
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
