// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Retry policy: pauses that double from a first one up to a longest one, each shortened by up to
 * half at random so that rivals don't stay in step, until a time budget is used.
 *
 * <p>Written here and not taken from a library because a retried conditional write is a decision
 * after each attempt (see {@link ObjectStore#put}), not a call to be repeated, and because time
 * must be the caller's to own.
 */
public final class Retry {

  private final Duration budget;
  private final Duration firstPause;
  private final Duration longestPause;
  private final MonotonicTime time;
  private final int most;

  public Retry(Duration budget, Duration firstPause, Duration longestPause, MonotonicTime time) {
    this(budget, firstPause, longestPause, time, Integer.MAX_VALUE);
  }

  private Retry(
      Duration budget, Duration firstPause, Duration longestPause, MonotonicTime time, int most) {
    this.budget = budget;
    this.firstPause = firstPause;
    this.longestPause = longestPause;
    this.time = time;
    this.most = most;
  }

  /** Returns a policy of up to 15 seconds, with pauses from 20 milliseconds to 2 seconds. */
  public static Retry standard() {
    return new Retry(
        Duration.ofSeconds(15),
        Duration.ofMillis(20),
        Duration.ofSeconds(2),
        MonotonicTime.system());
  }

  /** Returns a policy that also limits the number of retries, whatever is left of the budget. */
  public Retry atMost(int times) {
    return new Retry(budget, firstPause, longestPause, time, times);
  }

  /** Returns the time in which the budget is measured. */
  public MonotonicTime time() {
    return time;
  }

  /** Starts the budget of one operation. */
  public Backoff start() {
    return new Backoff(time.nanos());
  }

  /** The pauses of one operation. */
  public final class Backoff {
    private final long startNanos;
    private Duration next = firstPause;
    private int pauses;

    private Backoff(long startNanos) {
      this.startNanos = startNanos;
    }

    /**
     * Waits before the next attempt.
     *
     * @return false, at once, when the budget or the number of times is used or the thread is
     *     interrupted: give up
     */
    public boolean pause() {
      long left = budget.toNanos() - (time.nanos() - startNanos);
      if (left <= 0 || pauses >= most || Thread.currentThread().isInterrupted()) {
        return false;
      }
      pauses++;
      time.pause(Duration.ofNanos(Math.min(left, jittered(next.toNanos()))));
      Duration doubled = next.multipliedBy(2);
      next = doubled.compareTo(longestPause) < 0 ? doubled : longestPause;
      return !Thread.currentThread().isInterrupted();
    }

    private static long jittered(long nanos) {
      RandomGenerator random = ThreadLocalRandom.current();
      return nanos / 2 + random.nextLong(nanos / 2 + 1);
    }
  }
}
