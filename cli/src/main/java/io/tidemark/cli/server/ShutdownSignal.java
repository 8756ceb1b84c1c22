// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shutdown hook that waits for the signal that ends the process, and delays the exit until all
 * resources are closed. To be opened first, and so closed last.
 */
final class ShutdownSignal implements AutoCloseable {

  /**
   * Maximum delay, longer than the time limits of all parts together: tens of seconds for requests
   * and maintenance, a minute for a private PostgreSQL. So only hanging parts are left behind.
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
      Thread.currentThread().interrupt(); // nothing interrupts a hook; the process ends anyway
    }
  }

  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs already, and waits for nothing any more.
    }
  }
}
