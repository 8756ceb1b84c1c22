// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.objects.RequestTimers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Watch on the size of a file that a statement writes. DuckDB has no such limit: the file may be
 * larger by what the disk takes between two looks, and is deleted then.
 */
final class FileLimit implements AutoCloseable {

  private static final long BETWEEN_MILLIS = 20;

  private final Path file;
  private final SqlLimits limits;
  private final ScheduledFuture<?> looks;

  private FileLimit(Path file, SqlLimits limits, Runnable exceeded) {
    this.file = file;
    this.limits = limits;
    this.looks =
        RequestTimers.shared()
            .scheduleWithFixedDelay(
                () -> {
                  if (isExceeded()) {
                    exceeded.run();
                  }
                },
                BETWEEN_MILLIS,
                BETWEEN_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  /** Calls something while the file is larger than allowed. */
  static FileLimit on(Path file, SqlLimits limits, Runnable exceeded) {
    return new FileLimit(file, limits, exceeded);
  }

  private boolean isExceeded() {
    try {
      return Files.size(file) > limits.fileBytes();
    } catch (IOException e) {
      return false; // it isn't there yet, or not any more
    }
  }

  /** Fails if the file is larger than allowed. */
  void check() {
    if (isExceeded()) {
      throw SqlLimitException.file(limits);
    }
  }

  @Override
  public void close() {
    looks.cancel(false);
  }
}
