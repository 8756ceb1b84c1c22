// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Holds requests back until the test lets them go, so that an interleaving is written down and not
 * hoped for. Waiting here is for an event; the time limit only turns a hang into a failure.
 */
public final class RequestLatch {
  private static final long LIMIT_SECONDS = 120;

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Waits until a request stands at the gate. */
  public void awaitArrival() {
    await(arrived, "no request came to the gate");
  }

  /** Lets the request, and all that come later, pass. */
  public void open() {
    opened.countDown();
  }

  void awaitOpen() {
    arrived.countDown();
    await(opened, "nobody opened the gate");
  }

  private static void await(CountDownLatch latch, String otherwise) {
    try {
      if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(otherwise + " for " + LIMIT_SECONDS + " seconds");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(otherwise + " before the thread was interrupted", e);
    }
  }
}
