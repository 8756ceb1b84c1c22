// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.names.NameService;
import io.tidemark.server.access.Caller;
import io.tidemark.server.http.PushHub;
import io.tidemark.server.metrics.Meters;
import java.util.Optional;

/**
 * Watches everything, once, for all who watch some of it: what the nameservice tells goes into a
 * {@link WatchHistory}, from which each watcher is told what it asks for. A watcher that falls
 * behind gets a snapshot once what it needs isn't kept any more.
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

  /** Discards the history; the next watcher is told everything anew. */
  void forget() {
    source = Optional.empty();
  }

  WatchSettings settings() {
    return settings;
  }

  PushHub push() {
    return push;
  }

  /** How many watch. */
  public int size() {
    return push.size();
  }

  /** Returns whether the store is being looked at, for somebody who watches or did a moment ago. */
  public boolean isRunning() {
    return push.isRunning();
  }

  /** How many events were told since somebody began to watch. */
  public long eventCount() {
    return history().map(WatchHistory::last).orElse(0L);
  }

  /** What moved so far; empty until everything was looked at once. */
  Optional<WatchHistory> history() {
    return source.flatMap(WatchEventSource::history);
  }

  /** Why there is no history yet. */
  Optional<String> unavailableReason() {
    return source.flatMap(WatchEventSource::unavailableReason);
  }

  void countResync() {
    meters.count("tidemark.watch.resyncs", "Snapshots that took the place of missed events");
  }

  /** Refuses a watcher that is one too many. */
  void requireRoom(Caller caller) {
    push.requireRoom(caller);
  }

  /** Ends all watches; those who read what they were sent get it whole. */
  @Override
  public void close() {
    push.close();
  }
}
