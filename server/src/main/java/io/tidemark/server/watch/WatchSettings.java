// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.names.watch.FeedSettings;
import java.time.Duration;

/**
 * How watchers are served.
 *
 * @param feed how the store is looked at, for all of them together
 * @param kept how many events are kept for those who fall behind or come back
 * @param heartbeat how often something is written to who has nothing to hear
 * @param patience how long a watcher may take for what is being written to it; then it is ended
 * @param recheck how often it is looked whether a watcher may still watch
 * @param linger how long the store is still looked at after the last watcher has gone, so that who
 *     comes back goes on where it was
 * @param watchers at once
 * @param perCaller of one caller at once
 */
@RecordBuilder
public record WatchSettings(
    FeedSettings feed,
    int kept,
    Duration heartbeat,
    Duration patience,
    Duration recheck,
    Duration linger,
    int watchers,
    int perCaller)
    implements WatchSettingsBuilder.With {

  public WatchSettings {
    if (kept < 1) {
      throw new IllegalArgumentException("at least the last event has to be kept: " + kept);
    }
  }

  public static WatchSettings standard() {
    return new WatchSettings(
        FeedSettings.standard(),
        10_000,
        Duration.ofSeconds(15),
        Duration.ofMinutes(1),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1),
        5_000,
        2_000);
  }
}
