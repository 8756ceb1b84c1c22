// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.Cancellation;
import io.tidemark.features.bulk.LoadStoppedException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shutdown hook of a load: on a signal such as Ctrl-C, the load drops its partial work. If the
 * server takes too long for that, the next load does it.
 */
final class LoadShutdownHook implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  private LoadShutdownHook(Cancellation load) {
    this.hook = new Thread(() -> stop(load), "tidemark-stop");
  }

  /** Registers the hook, until it is closed. */
  static LoadShutdownHook onSignal(Cancellation load) {
    LoadShutdownHook stop = new LoadShutdownHook(load);
    try {
      Runtime.getRuntime().addShutdownHook(stop.hook);
    } catch (IllegalStateException e) {
      cancel(load); // the signal was faster
    }
    return stop;
  }

  private static void cancel(Cancellation load) {
    load.cancel(new LoadStoppedException("the load was stopped; nothing of it is there"));
  }

  private void stop(Cancellation load) {
    cancel(load);
    try {
      if (!ended.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println("tidemark: what the load has made is dropped by the next one");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nothing interrupts a hook; the process ends anyway
    }
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs already, and finds nothing more to wait for.
    }
  }
}
