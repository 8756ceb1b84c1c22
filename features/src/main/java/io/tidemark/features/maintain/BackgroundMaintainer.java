// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.FeatureStorage;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains a storage at once and then at intervals, until it is closed. It keeps its last outcome;
 * a step that fails is retried in the next run.
 */
public final class BackgroundMaintainer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundMaintainer.class);
  private static final long CLOSING_SECONDS = 10;

  private final Maintainer maintainer;
  private final ScheduledExecutorService worker =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "tidemark-maintainer");
            thread.setDaemon(true);
            return thread;
          });

  private volatile @Nullable MaintenanceOutcome last;

  private BackgroundMaintainer(Maintainer maintainer) {
    this.maintainer = maintainer;
  }

  /** Starts one. */
  public static BackgroundMaintainer start(FeatureStorage featureStorage, MaintainOptions options) {
    BackgroundMaintainer started =
        new BackgroundMaintainer(new Maintainer(featureStorage, options));
    var unused =
        started.worker.scheduleWithFixedDelay(
            started::run, 0, options.every().toMillis(), TimeUnit.MILLISECONDS);
    return started;
  }

  private void run() {
    try {
      MaintenanceOutcome done = maintainer.run();
      last = done;
      if (done instanceof MaintenanceOutcome.Done all) {
        all.failed().forEach(each -> LOG.warn("upkeep of {}: {}", each.name(), each.failure()));
      }
    } catch (RuntimeException e) {
      LOG.warn("can't maintain the storage, and try again the next time: {}", e.toString());
    }
  }

  /** Returns the outcome of the last run; empty before the first has ended. */
  public Optional<MaintenanceOutcome> last() {
    return Optional.ofNullable(last);
  }

  /** Stops the maintainer, after the current collection if that doesn't take long. */
  @Override
  public void close() {
    worker.shutdownNow();
    try {
      if (!worker.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the maintainer is still at a collection; it ends when it is done with that");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
