// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Scheduler of the handlers of a runner. A handler is ready if it has work, runs below its
 * concurrency, and hasn't used its share of this iteration. Of the ready handlers the one of the
 * highest priority gets the next turn, and of these the first by id. The workers of a runner wait
 * here for turns.
 */
final class HandlerScheduler {
  private final List<HandlerProgress> lanes;
  private final int claimLimit;
  private final int maxEvents;

  private int claimed;
  private int running;
  private long iteration;
  private boolean stopped;

  HandlerScheduler(List<HandlerRegistration> handlers, int claimLimit, int maxEvents) {
    this.lanes =
        handlers.stream()
            .sorted(
                Comparator.comparingInt(HandlerRegistration::priority)
                    .reversed()
                    .thenComparing(HandlerRegistration::id))
            .map(HandlerProgress::new)
            .toList();
    this.claimLimit = claimLimit;
    this.maxEvents = maxEvents;
  }

  /**
   * Turn of a handler.
   *
   * @param iteration iteration in which it began
   * @param first whether it is the handler's first in that iteration
   */
  record Turn(HandlerProgress lane, long iteration, boolean first) {}

  /** Begins an iteration: there may be new events. */
  synchronized void beginIteration() {
    iteration++;
    claimed = 0;
    lanes.forEach(HandlerProgress::refresh);
    notifyAll();
  }

  /** Records that this process has published new events. */
  synchronized void markNewEvents() {
    iteration++; // a turn that finds nothing may have looked before they were there
    lanes.forEach(HandlerProgress::markWorkAvailable);
    notifyAll();
  }

  /** Waits for a turn; empty once the scheduler is stopped. */
  synchronized Optional<Turn> next() throws InterruptedException {
    while (!stopped) {
      Optional<HandlerProgress> lane = ready().findFirst();
      if (lane.isPresent()) {
        running++;
        claimed++;
        return Optional.of(new Turn(lane.get(), iteration, lane.get().begin()));
      }
      wait();
    }
    return Optional.empty();
  }

  /** Records that a turn got work; there may be more of it. */
  synchronized void recordWork(Turn turn) {
    turn.lane().markWorkAvailable();
    notifyAll();
  }

  /** Ends a turn that found no work. */
  synchronized void recordNoWork(Turn turn) {
    turn.lane().recordNoWork();
    if (turn.iteration() != iteration) {
      turn.lane().markWorkAvailable();
    }
    running--;
    claimed = Math.max(0, claimed - 1);
    notifyAll();
  }

  /** Ends a turn. */
  synchronized void end(Turn turn) {
    turn.lane().end();
    running--;
    notifyAll();
  }

  /** Stops the scheduler: no turns begin, those under way go on. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  /** Waits until all turns of this iteration are over. */
  synchronized void awaitTurnsDone() throws InterruptedException {
    while (running > 0 || (!stopped && ready().findAny().isPresent())) {
      wait();
    }
  }

  /** Waits until no ready handler has work, as far as is known. */
  synchronized void awaitNoWork() throws InterruptedException {
    while (!stopped && ready().findAny().isPresent()) {
      wait();
    }
  }

  /** Waits until the interval has passed, or there is work that needs another iteration. */
  synchronized void awaitNext(Duration interval) throws InterruptedException {
    long end = System.nanoTime() + interval.toNanos();
    for (long left = interval.toNanos(); left > 0; left = end - System.nanoTime()) {
      if (stopped || isBudgetUsed()) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left + TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private boolean isBudgetUsed() {
    return ready().findAny().isEmpty()
        && lanes.stream()
            .filter(Predicate.not(HandlerProgress::hasNoWork))
            .anyMatch(
                handlerProgress -> !handlerProgress.isBusy() && isBudgetUsed(handlerProgress));
  }

  private boolean isBudgetUsed(HandlerProgress handlerProgress) {
    return handlerProgress.isBudgetUsed(claimLimit) || claimed >= maxEvents;
  }

  private Stream<HandlerProgress> ready() {
    return lanes.stream()
        .filter(
            handlerProgress ->
                !handlerProgress.hasNoWork()
                    && !handlerProgress.isBusy()
                    && !isBudgetUsed(handlerProgress));
  }
}
