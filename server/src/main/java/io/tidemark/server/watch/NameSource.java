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
 * Source of the events of a nameservice: takes them into a {@link History}. So the faster events
 * come, the more of them go into one write to a watcher.
 */
final class NameSource implements PushHub.Source {

  private static final Logger LOG = LoggerFactory.getLogger(NameSource.class);

  /** How many events are taken in before watchers are told. */
  private static final int BATCH = 1000;

  /** A feed, and the watch of everything on it. */
  private record Watching(NameFeed feed, Watch watch, History told) implements AutoCloseable {
    @Override
    public void close() {
      watch.close();
      feed.close();
    }
  }

  private final NameService names;
  private final WatchSettings settings;
  private final Hub hub;
  private @Nullable Watching watching;
  private long triedLast;
  private volatile Optional<History> history = Optional.empty();
  private volatile Optional<String> trouble = Optional.empty();

  NameSource(NameService names, WatchSettings settings, Hub hub) {
    this.names = names;
    this.settings = settings;
    this.hub = hub;
  }

  /** What moved so far; empty until everything was looked at once. */
  Optional<History> history() {
    return history;
  }

  /** Why there is no history yet. */
  Optional<String> trouble() {
    return trouble;
  }

  /** Takes in what has moved, or begins to watch; tries that again after a while if it fails. */
  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    long rest = settings.feed().interval().toNanos() - (System.nanoTime() - triedLast);
    if (watching == null && trouble.isPresent() && rest > 0) {
      boolean unused = hub.push().pause(Duration.ofNanos(Math.min(rest, atMost.toNanos())));
      return false;
    }
    try {
      if (watching != null) {
        return takeIn(watching, atMost);
      }
      triedLast = System.nanoTime();
      watching = begin();
      trouble = Optional.empty();
      history = Optional.of(watching.told);
    } catch (TidemarkException e) {
      failed(e, String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) { // also for want of memory, which may be over soon
      failed(e, "the server can't watch its store; its log says why");
    }
    return true;
  }

  private void failed(Throwable e, String why) {
    if (trouble.isEmpty()) {
      LOG.warn("can't watch {}, trying again: {}", names.location(), e.toString());
    }
    triedLast = System.nanoTime();
    history = Optional.empty(); // what comes next is another, and watchers will be told so
    trouble = Optional.of(why);
    close();
  }

  private Watching begin() throws InterruptedException {
    NameFeed feed = new NameFeed(names, settings.feed());
    try {
      Watch watch = feed.watch(WatchFilter.all());
      History told = new History(settings.kept());
      for (Optional<NameEvent> event = watch.next(Duration.ZERO);
          event.isPresent();
          event = watch.next(Duration.ZERO)) {
        told.begin(event.get());
      }
      return new Watching(feed, watch, told);
    } catch (Throwable e) {
      feed.close();
      throw e;
    }
  }

  /** Takes in what has moved, at least one event if there is one soon. */
  private static boolean takeIn(Watching watching, Duration atMost) throws InterruptedException {
    Watch watch = watching.watch;
    History told = watching.told;
    long before = told.last();
    boolean wasAway = told.isTroubled();
    try {
      Optional<NameEvent> event = watch.next(atMost);
      for (int i = 0; event.isPresent(); i++) {
        told.add(event.get());
        event = i < BATCH ? watch.next(Duration.ZERO) : Optional.empty();
      }
      if (wasAway && watch.trouble().isEmpty()) {
        told.recovered();
      }
    } catch (TidemarkException e) {
      told.troubled(String.valueOf(e.getMessage()));
    }
    return told.last() > before;
  }

  @Override
  public void end() {
    hub.forget();
  }

  @Override
  public void close() {
    if (watching != null) {
      watching.close();
      watching = null;
    }
  }
}
