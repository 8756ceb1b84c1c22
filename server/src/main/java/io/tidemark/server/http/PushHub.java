// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.Caller;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hub of push subscribers to one source, none of which holds a thread.
 *
 * <p>One thread waits for the source and resumes each subscriber when there is news. Four times a
 * second it aborts subscribers that don't read what is written to them. A subscriber with a write
 * in progress resumes when that write is done, so a slow client delays no other. The thread starts
 * with the first subscriber and ends some time after the last has left.
 *
 * <p>Each subscriber's access is checked again periodically. That may take a request to another
 * system, so a separate thread does it.
 */
public final class PushHub implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PushHub.class);

  /** Interval at which heartbeats and deadlines are checked. */
  private static final Duration TICK = Duration.ofMillis(250);

  /** Time for subscribers to read the last of their answers when the server stops. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  /** Source of a hub's news, used by the thread of the hub. */
  @FunctionalInterface
  public interface Source extends AutoCloseable {

    /**
     * Waits for news.
     *
     * @return whether subscribers should be resumed
     */
    boolean await(Duration atMost) throws InterruptedException;

    /** Discards the state of this source before another one can be opened; must not block. */
    default void end() {}

    /** Releases resources, possibly after another source was opened. */
    @Override
    default void close() {}
  }

  /**
   * Limits and intervals of a hub.
   *
   * @param name of its threads
   * @param full code of the problem that refuses a subscriber
   * @param subscribers maximum number of subscribers
   * @param perCaller maximum number of subscribers of one caller
   * @param patience time to take what is written, after which a subscriber is ended
   * @param recheck interval at which a subscriber's access is checked
   * @param linger time for which the source stays open after the last subscriber has left
   */
  public record Settings(
      String name,
      String full,
      int subscribers,
      int perCaller,
      Duration patience,
      Duration recheck,
      Duration linger) {}

  private final Settings settings;
  private final Supplier<? extends Source> open;
  private final ExecutorService rechecks;

  /** Guards the following fields; never held during calls to a source or a subscriber. */
  private final Object lock = new Object();

  private final Set<PushSubscriber> subscribers = new HashSet<>();
  private final Map<String, Integer> perCaller = new HashMap<>();
  private boolean running;
  private boolean told;
  private long lastLeft;
  private volatile boolean closed;

  /**
   * Creates a hub without subscribers.
   *
   * @param open opens the source, on the thread of the hub
   */
  public PushHub(Settings settings, Supplier<? extends Source> open) {
    this.settings = settings;
    this.open = open;
    this.rechecks =
        new ThreadPoolExecutor(
            0,
            1,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> thread(work, settings.name + "-recheck"),
            new ThreadPoolExecutor.DiscardPolicy());
  }

  private static Thread thread(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  Settings settings() {
    return settings;
  }

  /** Returns the number of subscribers. */
  public int size() {
    synchronized (lock) {
      return subscribers.size();
    }
  }

  /** Returns whether the source is open, for a current subscriber or one that has just left. */
  public boolean isRunning() {
    synchronized (lock) {
      return running;
    }
  }

  public boolean isClosed() {
    return closed;
  }

  boolean has(PushSubscriber subscriber) {
    synchronized (lock) {
      return subscribers.contains(subscriber);
    }
  }

  /**
   * Refuses a subscriber beyond the limits. Simultaneous requests may exceed the limits slightly.
   */
  public void requireRoom(Caller caller) {
    synchronized (lock) {
      if (closed) {
        throw full("the server is stopping; try another, or again in a moment");
      }
      if (subscribers.size() >= settings.subscribers) {
        throw full(settings.subscribers + " wait already, which is all this server takes");
      }
      if (perCaller.getOrDefault(caller.identity(), 0) >= settings.perCaller) {
        throw full(
            "%s waits %d times already, which is all a caller may; end some of them"
                .formatted(caller.name(), settings.perCaller));
      }
    }
  }

  private ProblemException full(String detail) {
    return new ProblemException(
        Problem.of(503, settings.full, detail), Map.of("Retry-After", "10"));
  }

  void join(PushSubscriber subscriber) {
    synchronized (lock) {
      subscribers.add(subscriber);
      perCaller.merge(subscriber.caller().identity(), 1, Integer::sum);
      if (!running && !closed) {
        running = true;
        thread(this::run, settings.name).start();
      }
    }
  }

  void leave(PushSubscriber subscriber) {
    synchronized (lock) {
      if (subscribers.remove(subscriber)) {
        perCaller.computeIfPresent(
            subscriber.caller().identity(), (who, n) -> n > 1 ? n - 1 : null);
        lastLeft = System.nanoTime();
        lock.notifyAll();
      }
    }
  }

  private List<PushSubscriber> all() {
    synchronized (lock) {
      return List.copyOf(subscribers);
    }
  }

  /** Runs an access check on the recheck thread, unless the hub is closed. */
  void revalidate(Runnable question) {
    rechecks.execute(question);
  }

  /** Wakes a {@link #pause}, since the source may have something to do. */
  public void signal() {
    synchronized (lock) {
      told = true;
      lock.notifyAll();
    }
  }

  /**
   * Waits for a signal to the source, or until the hub needs it no more.
   *
   * @return whether there was a signal since the last pause
   */
  public boolean pause(Duration atMost) throws InterruptedException {
    synchronized (lock) {
      await(() -> told || isUnused(), atMost);
      boolean was = told;
      told = false;
      return was;
    }
  }

  private void await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    synchronized (lock) {
      while (!condition.getAsBoolean()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return;
        }
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      }
    }
  }

  // Code of the hub's thread.

  private void run() {
    try (Source source = open.get()) {
      while (!isOver(source)) {
        if (source.await(TICK)) {
          all().forEach(PushSubscriber::iterate);
        }
        long now = System.nanoTime();
        all().forEach(subscriber -> subscriber.tick(now));
      }
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the thread belongs to the hub and ends here
    } catch (RuntimeException | Error e) {
      LOG.error("{} failed; its subscribers have to come back", settings.name, e);
    }
    synchronized (lock) {
      running = false; // so that the next subscriber starts another
    }
    all().forEach(subscriber -> subscriber.abort(new IllegalStateException("its source failed")));
  }

  private boolean isUnused() {
    return closed
        || (subscribers.isEmpty() && System.nanoTime() - lastLeft >= settings.linger.toNanos());
  }

  private boolean isOver(Source source) {
    synchronized (lock) {
      boolean over = isUnused();
      if (over) {
        source.end();
        running = false; // under the lock, so that a later subscriber starts another
      }
      return over;
    }
  }

  /** Ends all subscribers, and gives those that still read a moment to receive the rest. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    all().forEach(PushSubscriber::iterate);
    try {
      await(subscribers::isEmpty, FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // an interrupted close doesn't wait for slow readers
    }
    all().forEach(subscriber -> subscriber.abort(new TimeoutException("the server stops")));
    rechecks.shutdownNow();
  }
}
