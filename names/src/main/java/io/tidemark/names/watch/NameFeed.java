// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.TidemarkException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of a nameservice, for any number of watches at the cost of one: changes by this
 * process through that service are told at once, changes by other processes within an interval or
 * so.
 *
 * <p>A watch begins with a survey and a listing of what it asks for; one that asks for nothing that
 * isn't watched here already begins with what is known of that, at the cost of one request.
 *
 * <p>Without watches the feed costs nothing. One thread looks at the store and tells the watches; a
 * watch takes what it is told whenever its listener asks.
 */
public final class NameFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NameFeed.class);

  private final NameService names;
  private final FeedSettings settings;
  private final List<Watch> watches = new CopyOnWriteArrayList<>();
  private final Runnable stopListening;

  /** Guards the lookout, and with it the order of looks. */
  private final Object looking = new Object();

  private final ChangeDetector changeDetector;

  /** The watch that is just beginning; it is told what there is when that is known. */
  private Optional<Watch> beginning = Optional.empty();

  /** Guards what follows; never held while the store is asked. */
  private final Object waiting = new Object();

  private Set<Address> suspects = new HashSet<>();
  private boolean running;
  private boolean closed;

  /** Only the thread of the feed has to do with it. */
  private boolean failing;

  public NameFeed(NameService names) {
    this(names, FeedSettings.standard());
  }

  /** The feed doesn't close the service. */
  public NameFeed(NameService names, FeedSettings settings) {
    this.names = names;
    this.settings = settings;
    this.changeDetector = new ChangeDetector(names, settings.surveyEvery(), this::moved);
    this.stopListening = names.listen(this::markForCheck);
  }

  /** Begins with everything there is, as records that appeared. */
  public Watch watch(WatchFilter filter) {
    return watch(filter, WatchCheckpoint.none());
  }

  /** Returns a watch that tells what moved since a checkpoint, and goes on. */
  public Watch watch(WatchFilter filter, WatchCheckpoint known) {
    synchronized (looking) {
      Watch watch = begin(filter);
      SortedMap<Address, Observation> before = new TreeMap<>();
      changeDetector
          .trackedAddresses(filter)
          .forEach(address -> before.put(address, Observation.Absent.ABSENT));
      known
          .seen()
          .forEach(
              (address, observation) -> {
                if (filter.matches(address)) {
                  before.put(address, observation);
                }
              });
      before.forEach(
          (address, observation) ->
              watch.moved(address, observation, changeDetector.lastObservation(address)));
      return join(watch);
    }
  }

  /** Returns a watch that tells what moves from now on. */
  public Watch watchFromNow(WatchFilter filter) {
    synchronized (looking) {
      return join(begin(filter));
    }
  }

  private Watch begin(WatchFilter filter) {
    synchronized (waiting) {
      if (closed) {
        throw new IllegalStateException("the feed of " + names.location() + " is closed");
      }
    }
    Watch watch = new Watch(this, filter);
    watches.add(watch); // first, so that what this process changes meanwhile is suspected
    beginning = Optional.of(watch);
    try {
      checkMarked(); // what this process changed before isn't news to this watch
      changeDetector.addScope(filter);
    } catch (RuntimeException | Error e) {
      watches.remove(watch);
      throw e;
    } finally {
      beginning = Optional.empty();
    }
    return watch;
  }

  private Watch join(Watch watch) {
    synchronized (waiting) {
      if (closed) {
        watch.end(); // it came too late to be ended with the others
      } else if (!running) {
        running = true;
        Thread thread = new Thread(this::run, "names-feed");
        thread.setDaemon(true);
        thread.start();
      }
    }
    return watch;
  }

  WatchCheckpoint cursor(Watch watch) {
    synchronized (looking) {
      if (!watches.contains(watch)) {
        throw new IllegalStateException("the watch is closed; ask for its cursor before that");
      }
      Map<Address, Watermarks> marks = new HashMap<>();
      Map<Address, String> unreadable = new HashMap<>();
      for (Address address : changeDetector.trackedAddresses(watch.filter())) {
        Observation told = watch.known(address, changeDetector.lastObservation(address));
        if (told instanceof Observation.Unreadable broken) {
          unreadable.put(address, broken.problem()); // of whatever kind it may be
        } else if (told instanceof Observation.Present present
            && watch.filter().matches(present.marks())) {
          marks.put(address, present.marks());
        }
      }
      return new WatchCheckpoint(marks, unreadable);
    }
  }

  void end(Watch watch) {
    if (watches.remove(watch)) {
      synchronized (looking) {
        changeDetector.removeScope(watch.filter());
      }
      wake();
    }
  }

  @Override
  public void close() {
    stopListening.run();
    synchronized (waiting) {
      closed = true;
      waiting.notifyAll();
    }
    watches.forEach(Watch::end);
  }

  private void markForCheck(Address address) {
    if (watches.isEmpty()) {
      return;
    }
    synchronized (waiting) {
      suspects.add(address);
      waiting.notifyAll();
    }
  }

  private void moved(Address address, Observation before, Observation now) {
    for (Watch watch : watches) {
      if (!beginning.equals(Optional.of(watch))) {
        watch.moved(address, before, now);
      }
    }
  }

  // The thread.

  private void run() {
    long next = System.nanoTime() + settings.interval().toNanos();
    while (true) {
      await(next);
      synchronized (waiting) {
        if (closed || watches.isEmpty()) {
          running = false;
          return;
        }
      }
      boolean due = System.nanoTime() - next >= 0;
      if (due) {
        next = System.nanoTime() + settings.interval().toNanos();
      }
      try {
        poll(due);
        succeeded();
      } catch (RuntimeException | Error e) {
        failed(e);
      }
    }
  }

  /**
   * Waits until something has to be looked at, at the latest until the given time; but not less
   * than that while the store can't be reached.
   */
  private void await(long deadlineNanos) {
    synchronized (waiting) {
      while ((suspects.isEmpty() || failing) && !closed && !watches.isEmpty()) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          break;
        }
        try {
          waiting.wait(left / 1_000_000, (int) (left % 1_000_000));
        } catch (InterruptedException e) {
          closed = true; // the thread is nobody else's, so its end is meant
        }
      }
    }
  }

  private Set<Address> takeMarked() {
    synchronized (waiting) {
      Set<Address> taken = suspects;
      suspects = new HashSet<>();
      return taken;
    }
  }

  private void poll(boolean due) {
    synchronized (looking) {
      checkMarked();
      if (due) {
        changeDetector.poll();
      }
    }
  }

  /**
   * Checks the marked records. Only the thread that holds {@code looking} takes them, so that none
   * is on its way when a watch begins.
   */
  private void checkMarked() {
    Set<Address> taken = takeMarked();
    try {
      taken.forEach(changeDetector::check);
    } catch (RuntimeException | Error e) {
      synchronized (waiting) {
        suspects.addAll(taken);
      }
      throw e;
    }
  }

  private void succeeded() {
    if (failing) {
      failing = false;
      LOG.info("{} can be watched again", names.location());
      watches.forEach(Watch::recovered);
    }
  }

  /** Whatever went wrong, the thread goes on: a feed that ended in silence would be a gap. */
  private void failed(Throwable e) {
    if (!failing && !isClosed()) {
      failing = true;
      LOG.warn("can't watch {}, trying again: {}", names.location(), e.getMessage());
      TidemarkException told =
          e instanceof TidemarkException known
              ? known
              : new StoreFailureException("can't watch " + names.location() + ": " + e, e);
      watches.forEach(watch -> watch.failed(told));
    }
  }

  private boolean isClosed() {
    synchronized (waiting) {
      return closed;
    }
  }

  private void wake() {
    synchronized (waiting) {
      waiting.notifyAll();
    }
  }
}
