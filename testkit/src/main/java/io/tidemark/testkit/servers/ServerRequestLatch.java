// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Holds requests until a test lets them go. The test waits for the first arrival, does what is to
 * happen meanwhile, and opens.
 */
public final class ServerRequestLatch {

  /** Longer than any test should take; a forgotten gate fails a test instead of hanging it. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Returns once a request stands at the gate, or has passed it. */
  public void awaitArrival() throws InterruptedException {
    await(arrived, "no request came to the gate");
  }

  /** Lets all requests pass that are there or come later. */
  public void open() {
    opened.countDown();
  }

  void awaitOpen() throws InterruptedException {
    arrived.countDown();
    await(opened, "nobody opened the gate");
  }

  private static void await(CountDownLatch latch, String problem) throws InterruptedException {
    if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(problem + " within " + PATIENCE);
    }
  }
}
