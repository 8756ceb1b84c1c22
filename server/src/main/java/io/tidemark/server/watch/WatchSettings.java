// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.names.watch.FeedSettings;
import java.time.Duration;

/**
 * Settings of watches.
 *
 * @param feed settings of the feed from the store, which all watchers share
 * @param kept number of events to retain for watchers that fall behind or come back
 * @param heartbeat interval of writes to watchers without events
 * @param patience maximum time for a watcher to read a write; after that it is ended
 * @param recheck interval at which a watcher's access is checked
 * @param linger time for which the store is still watched after the last watcher has left, so that
 *     a returning client can continue where it was
 * @param watchers maximum number of watchers
 * @param perCaller maximum number of watchers of one caller
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
