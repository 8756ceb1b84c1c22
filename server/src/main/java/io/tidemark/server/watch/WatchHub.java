// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.names.NameService;
import io.tidemark.server.access.Caller;
import io.tidemark.server.http.PushHub;
import io.tidemark.server.metrics.Meters;
import java.util.Optional;

/**
 * Hub of watches, which watches everything once for all clients. Events of the nameservice go into
 * a {@link WatchHistory}, from which each watcher receives those it asks for. A watcher that falls
 * behind gets a snapshot when its next events are no longer retained.
 */
public final class WatchHub implements AutoCloseable {

  private final NameService names;
  private final WatchSettings settings;
  private final Meters meters;
  private final PushHub push;
  private volatile Optional<WatchEventSource> source = Optional.empty();

  public WatchHub(NameService names, WatchSettings settings, Meters meters) {
    this.names = names;
    this.settings = settings;
    this.meters = meters;
    this.push =
        new PushHub(
            new PushHub.Settings(
                "tidemark-watch",
                "too-many-watchers",
                settings.watchers(),
                settings.perCaller(),
                settings.patience(),
                settings.recheck(),
                settings.linger()),
            this::open);
    meters.gauge("tidemark.watchers", "Who watches at the moment", this::size);
  }

  private WatchEventSource open() {
    WatchEventSource opened = new WatchEventSource(names, settings, this);
    source = Optional.of(opened);
    return opened;
  }

  /** Discards the history; the next watcher starts with a new one. */
  void forget() {
    source = Optional.empty();
  }

  WatchSettings settings() {
    return settings;
  }

  PushHub push() {
    return push;
  }

  /** Returns the number of watchers. */
  public int size() {
    return push.size();
  }

  /**
   * Returns whether the store is being watched, for a current watcher or one that has just left.
   */
  public boolean isRunning() {
    return push.isRunning();
  }

  /** Returns the number of events in the current history; 0 without one. */
  public long eventCount() {
    return history().map(WatchHistory::last).orElse(0L);
  }

  /** Returns the events so far; empty until all records have been read once. */
  Optional<WatchHistory> history() {
    return source.flatMap(WatchEventSource::history);
  }

  /** Returns why there is no history; empty if there was no failure. */
  Optional<String> unavailableReason() {
    return source.flatMap(WatchEventSource::unavailableReason);
  }

  void countResync() {
    meters.count("tidemark.watch.resyncs", "Snapshots that took the place of missed events");
  }

  /** Refuses a watcher beyond the limits. */
  void requireRoom(Caller caller) {
    push.requireRoom(caller);
  }

  /** Ends all watches, and gives clients that still read a moment to receive the rest. */
  @Override
  public void close() {
    push.close();
  }
}
