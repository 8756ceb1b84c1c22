// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.names.NameService;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.Watch;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.Caller;
import io.tidemark.server.http.Recheck;
import io.tidemark.server.metrics.Meters;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches everything, once, for all who watch some of it.
 *
 * <p>One thread takes what the nameservice tells, writes it into the {@link History}, and then asks
 * each watcher to go on; a watcher that is still being written to goes on when that is done. So the
 * faster events come the more of them go into one write, and a slow client costs nobody anything:
 * it falls behind, and once what it needs isn't kept any more it gets a snapshot.
 *
 * <p>The thread begins with the first watcher and ends a while after the last, and so does the
 * history: who comes later is told everything anew.
 */
public final class Hub implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Hub.class);

  /** How often time is looked at, for heartbeats and deadlines. */
  private static final Duration TICK = Duration.ofMillis(250);

  /** How many events are taken in before watchers are told. */
  private static final int BATCH = 1000;

  /** What watchers get to take the last of what they are told when the server stops. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final NameService names;
  private final WatchSettings settings;
  private final Meters meters;

  /** Guards what follows; never held while the store is asked or a watcher is told. */
  private final Object lock = new Object();

  private final Set<Watcher> watchers = new HashSet<>();
  private final Map<String, Integer> perCaller = new HashMap<>();

  private final Recheck recheck;

  private boolean running;
  private long lastLeft;
  private volatile boolean closed;
  private volatile Optional<History> history = Optional.empty();
  private volatile Optional<String> trouble = Optional.empty();

  public Hub(NameService names, WatchSettings settings, Meters meters) {
    this.names = names;
    this.settings = settings;
    this.recheck = new Recheck(settings.recheck());
    this.meters = meters;
    meters.gauge("tidemark.watchers", "Who watches at the moment", this::size);
  }

  WatchSettings settings() {
    return settings;
  }

  /** How many watch. */
  public int size() {
    synchronized (lock) {
      return watchers.size();
    }
  }

  /** Whether the store is being looked at, for somebody who watches or did a moment ago. */
  public boolean isRunning() {
    synchronized (lock) {
      return running;
    }
  }

  /** How many events were told since somebody began to watch. */
  public long told() {
    return history.map(History::last).orElse(0L);
  }

  boolean isClosed() {
    return closed;
  }

  /** What moved so far; empty until everything was looked at once. */
  Optional<History> history() {
    return history;
  }

  /** Why there is no history yet. */
  Optional<String> trouble() {
    return trouble;
  }

  void countResync() {
    meters.count("tidemark.watch.resyncs", "Snapshots that took the place of missed events");
  }

  /**
   * Refuses whoever is one too many. Of those who come at the very same moment some more may slip
   * in.
   */
  void requireRoom(Caller caller) {
    synchronized (lock) {
      if (closed) {
        throw full("the server is stopping; try another, or again in a moment");
      }
      if (watchers.size() >= settings.watchers()) {
        throw full(settings.watchers() + " watch already, which is all this server takes");
      }
      if (perCaller.getOrDefault(caller.identity(), 0) >= settings.perCaller()) {
        throw full(
            "%s watches %d times already, which is all a caller may; end some of them"
                .formatted(caller.name(), settings.perCaller()));
      }
    }
  }

  private static ProblemException full(String detail) {
    return new ProblemException(
        Problem.of(503, "too-many-watchers", detail), Map.of("Retry-After", "10"));
  }

  void join(Watcher watcher) {
    synchronized (lock) {
      watchers.add(watcher);
      perCaller.merge(watcher.view().caller().identity(), 1, Integer::sum);
      if (!running && !closed) {
        running = true;
        Thread thread = new Thread(this::run, "tidemark-watch");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  void leave(Watcher watcher) {
    synchronized (lock) {
      if (watchers.remove(watcher)) {
        perCaller.computeIfPresent(
            watcher.view().caller().identity(), (who, n) -> n > 1 ? n - 1 : null);
        lastLeft = System.nanoTime();
        lock.notifyAll();
      }
    }
  }

  private List<Watcher> all() {
    synchronized (lock) {
      return List.copyOf(watchers);
    }
  }

  // The thread.

  private void run() {
    boolean over = false;
    try {
      while (!isOver()) {
        watch();
      }
      over = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the thread is nobody else's, so the process ends
    } finally {
      if (!over) {
        synchronized (lock) {
          running = false; // so that the next watcher begins another
        }
      }
    }
  }

  /** Returns when it is over, or after a while when the store doesn't let itself be watched. */
  private void watch() throws InterruptedException {
    try (NameFeed feed = new NameFeed(names, settings.feed());
        Watch watch = feed.watch(WatchFilter.all())) {
      follow(watch);
      return;
    } catch (TidemarkException e) {
      failed(e, String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) { // also for want of memory, which may be over soon
      failed(e, "the server can't watch its store; its log says why");
    }
    tick();
    await(() -> closed, settings.feed().interval());
  }

  private void failed(Throwable e, String why) {
    if (trouble.isEmpty()) {
      LOG.warn("can't watch {}, trying again: {}", names.location(), e.toString());
    }
    history = Optional.empty(); // what comes next is another, and watchers will be told so
    trouble = Optional.of(why);
    all().forEach(Watcher::iterate);
  }

  private void await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    synchronized (lock) {
      while (!condition.getAsBoolean()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return;
        }
        lock.wait(left / 1_000_000, (int) (left % 1_000_000));
      }
    }
  }

  /** Over when nobody has watched for a while; then the history is over too. */
  private boolean isOver() {
    synchronized (lock) {
      boolean over =
          closed
              || (watchers.isEmpty()
                  && System.nanoTime() - lastLeft >= settings.linger().toNanos());
      if (over) {
        history = Optional.empty();
        trouble = Optional.empty();
        running = false; // under the lock, so that who joins from now on begins another
      }
      return over;
    }
  }

  private void follow(Watch watch) throws InterruptedException {
    History told = new History(settings.kept());
    for (Optional<NameEvent> event = watch.next(Duration.ZERO);
        event.isPresent();
        event = watch.next(Duration.ZERO)) {
      told.begin(event.get());
    }
    trouble = Optional.empty();
    history = Optional.of(told);
    all().forEach(Watcher::iterate);
    while (!isOver()) {
      if (takeIn(watch, told)) {
        all().forEach(Watcher::iterate);
      }
      tick();
    }
  }

  /** Takes in what has moved, at least one event if there is one soon. */
  private static boolean takeIn(Watch watch, History told) throws InterruptedException {
    long before = told.last();
    boolean wasAway = told.isTroubled();
    try {
      Optional<NameEvent> event = watch.next(TICK);
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

  private void tick() {
    long now = System.nanoTime();
    all().forEach(watcher -> watcher.tick(now, settings.patience().toNanos(), recheck));
  }

  /** Ends all watches; those who read what they were sent get it whole. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    all().forEach(Watcher::iterate);
    try {
      await(watchers::isEmpty, FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // who is in a hurry doesn't wait for slow watchers
    }
    all().forEach(watcher -> watcher.abort(new TimeoutException("the server stops")));
    recheck.close();
  }
}
