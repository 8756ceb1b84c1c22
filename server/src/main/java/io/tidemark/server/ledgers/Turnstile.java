// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.server.http.Problem;
import io.tidemark.server.http.ProblemException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets so many in at a time who take much of the machine; others wait a moment, or are told off.
 */
final class Turnstile {

  private static final Duration WAIT = Duration.ofSeconds(2);

  private final Semaphore places;
  private final int most;

  Turnstile(int most) {
    this.places = new Semaphore(most, true);
    this.most = most;
  }

  /** Whoever was let in, until they leave. */
  interface Visit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Lets somebody in.
   *
   * @throws ProblemException when it is full
   */
  Visit enter() {
    try {
      if (places.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        return places::release;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ProblemException(
        Problem.of(
            503,
            "busy",
            "as many queries are running as the server takes, " + most + "; try again soon"),
        Map.of("Retry-After", "1"));
  }
}
