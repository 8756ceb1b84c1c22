// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.names.NameService;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.Watch;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.http.PushHub;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Source of the events of a nameservice, which it adds to a {@link WatchHistory}. The faster events
 * arrive, the more of them go into one write to a watcher.
 */
final class WatchEventSource implements PushHub.Source {

  private static final Logger LOG = LoggerFactory.getLogger(WatchEventSource.class);

  /** Maximum number of events to add before watchers are notified. */
  private static final int BATCH = 1000;

  /** Feed, and the watch of everything on it. */
  private record ActiveWatch(NameFeed feed, Watch watch, WatchHistory told)
      implements AutoCloseable {
    @Override
    public void close() {
      watch.close();
      feed.close();
    }
  }

  private final NameService names;
  private final WatchSettings settings;
  private final WatchHub watchHub;
  private @Nullable ActiveWatch activeWatch;
  private long triedLast;
  private volatile Optional<WatchHistory> history = Optional.empty();
  private volatile Optional<String> trouble = Optional.empty();

  WatchEventSource(NameService names, WatchSettings settings, WatchHub watchHub) {
    this.names = names;
    this.settings = settings;
    this.watchHub = watchHub;
  }

  /** Returns the events so far; empty until all records have been read once. */
  Optional<WatchHistory> history() {
    return history;
  }

  /** Returns why there is no history; empty if there was no failure. */
  Optional<String> unavailableReason() {
    return trouble;
  }

  /** Adds new events, or starts the watch; after a failure, retries with a delay. */
  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    long rest = settings.feed().interval().toNanos() - (System.nanoTime() - triedLast);
    if (activeWatch == null && trouble.isPresent() && rest > 0) {
      boolean unused = watchHub.push().pause(Duration.ofNanos(Math.min(rest, atMost.toNanos())));
      return false;
    }
    try {
      if (activeWatch != null) {
        return readEvents(activeWatch, atMost);
      }
      triedLast = System.nanoTime();
      activeWatch = begin();
      trouble = Optional.empty();
      history = Optional.of(activeWatch.told);
    } catch (TidemarkException e) {
      failed(e, String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) { // also out of memory, which may be temporary
      failed(e, "the server can't watch its store; its log says why");
    }
    return true;
  }

  private void failed(Throwable e, String why) {
    if (trouble.isEmpty()) {
      LOG.warn("can't watch {}, trying again: {}", names.location(), e.toString());
    }
    triedLast = System.nanoTime();
    history = Optional.empty(); // the next history is a new one, and watchers get a resync
    trouble = Optional.of(why);
    close();
  }

  private ActiveWatch begin() throws InterruptedException {
    NameFeed feed = new NameFeed(names, settings.feed());
    try {
      Watch watch = feed.watch(WatchFilter.all());
      WatchHistory told = new WatchHistory(settings.kept());
      for (Optional<NameEvent> event = watch.next(Duration.ZERO);
          event.isPresent();
          event = watch.next(Duration.ZERO)) {
        told.begin(event.get());
      }
      return new ActiveWatch(feed, watch, told);
    } catch (Throwable e) {
      feed.close();
      throw e;
    }
  }

  /** Adds new events; waits for the first one. */
  private static boolean readEvents(ActiveWatch activeWatch, Duration atMost)
      throws InterruptedException {
    Watch watch = activeWatch.watch;
    WatchHistory told = activeWatch.told;
    long before = told.last();
    boolean wasAway = told.isUnavailable();
    try {
      Optional<NameEvent> event = watch.next(atMost);
      for (int i = 0; event.isPresent(); i++) {
        told.add(event.get());
        event = i < BATCH ? watch.next(Duration.ZERO) : Optional.empty();
      }
      if (wasAway && watch.currentFailure().isEmpty()) {
        told.markAvailable();
      }
    } catch (TidemarkException e) {
      told.markUnavailable(String.valueOf(e.getMessage()));
    }
    return told.last() > before;
  }

  @Override
  public void end() {
    watchHub.forget();
  }

  @Override
  public void close() {
    if (activeWatch != null) {
      activeWatch.close();
      activeWatch = null;
    }
  }
}
