// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Ticker that shows progress during long work that reports none, such as one statement that takes
 * minutes. Short work is done before the first tick.
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

  /** Starts a ticker that shows a text repeatedly. */
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

  /** Replaces the text. */
  public void show(String other) {
    text = other;
  }

  /** Stops the ticker and clears the line. */
  @Override
  public void close() {
    clock.shutdownNow();
    try {
      // Printing takes no time; the line must not come back after it was cleared.
      boolean unused = clock.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    progressLine.clear();
  }
}
