// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Says how far long work is while it is silent itself, as in one statement that takes minutes. Work
 * that is done at once is done before anything is said.
 */
public final class ProgressTicker implements AutoCloseable {

  private static final long EVERY_MILLIS = 600;

  private final ProgressLine progressLine;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "tidemark-progress");
            thread.setDaemon(true);
            return thread;
          });

  private volatile String text;

  private ProgressTicker(ProgressLine progressLine, String text) {
    this.progressLine = progressLine;
    this.text = text;
  }

  /** Begins to say something, again and again. */
  public static ProgressTicker on(ProgressLine progressLine, String text) {
    ProgressTicker progressTicker = new ProgressTicker(progressLine, text);
    var unused =
        progressTicker.clock.scheduleWithFixedDelay(
            () -> progressLine.show(progressTicker.text),
            EVERY_MILLIS,
            EVERY_MILLIS,
            TimeUnit.MILLISECONDS);
    return progressTicker;
  }

  /** Says something else from now on. */
  public void show(String other) {
    text = other;
  }

  /** Wipes it. */
  @Override
  public void close() {
    clock.shutdownNow();
    try {
      // What it says takes no time; the line must not come back after it was wiped.
      boolean unused = clock.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    progressLine.clear();
  }
}
