// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Concurrency limit for expensive work. A limited number of callers wait briefly for a permit,
 * since each of them holds a thread; all others are refused.
 *
 * <p>A permit is released when the work is done. Jetty's {@code QoSHandler} keeps it until the
 * answer is complete, which fails SlowReadersTest's {@code
 * differencesThatWereSetAsideAreReadInNobodysPlace}.
 */
final class QueryLimiter {

  private static final Duration WAIT = Duration.ofSeconds(2);

  /**
   * Number of waiting callers for each permit. With the usual 8 permits, 64 callers delay no other
   * requests.
   */
  private static final int WAITING = 7;

  private final Semaphore places;
  private final Semaphore waiting;
  private final int most;

  QueryLimiter(int most) {
    this.places = new Semaphore(most, true);
    this.waiting = new Semaphore(most * WAITING);
    this.most = most;
  }

  /** Permit that is released on close. */
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Acquires a permit, after a short wait if there is none.
   *
   * @throws ProblemException if no permit becomes free
   */
  Permit acquire() {
    if (places.tryAcquire() || tryAcquire()) {
      return places::release;
    }
    throw new ProblemException(
        Problem.of(
            503,
            "busy",
            "as many queries are running as the server takes, " + most + "; try again soon"),
        Map.of("Retry-After", "1"));
  }

  private boolean tryAcquire() {
    if (!waiting.tryAcquire()) {
      return false;
    }
    try {
      return places.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      waiting.release();
    }
  }
}
