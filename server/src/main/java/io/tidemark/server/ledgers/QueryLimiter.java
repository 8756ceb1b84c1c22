// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets so many in at a time who take much of the machine. Some others wait a moment, but not all
 * who come, since who waits holds a thread; the rest are told off.
 *
 * <p>A place is left when the work is done. Jetty's {@code QoSHandler} keeps it until the answer is
 * complete, against which SlowReadersTest's {@code
 * differencesThatWereSetAsideAreReadInNobodysPlace} holds.
 */
final class QueryLimiter {

  private static final Duration WAIT = Duration.ofSeconds(2);

  /** How many wait for each place: with the usual 8 places, 64 callers hold up no others. */
  private static final int WAITING = 7;

  private final Semaphore places;
  private final Semaphore waiting;
  private final int most;

  QueryLimiter(int most) {
    this.places = new Semaphore(most, true);
    this.waiting = new Semaphore(most * WAITING);
    this.most = most;
  }

  /** Whoever was let in, until they leave. */
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Lets somebody in.
   *
   * @throws ProblemException when it is full
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
