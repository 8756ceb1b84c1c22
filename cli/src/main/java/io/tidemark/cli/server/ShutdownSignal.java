// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the signal that ends the process, and has the process wait in turn until all is put
 * away. To be opened first, and so closed last.
 */
final class ShutdownSignal implements AutoCloseable {

  /**
   * Longer than all parts together give themselves: requests and upkeep tens of seconds, a private
   * PostgreSQL a minute. So only what hangs is left behind.
   */
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final CountDownLatch signal = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::end, "tidemark-signal");

  ShutdownSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  void await() throws InterruptedException {
    signal.await();
  }

  private void end() {
    signal.countDown();
    try {
      boolean unused = done.await(LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does that to a hook; the process ends anyway
    }
  }

  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs already, and waits for nothing any more.
    }
  }
}
