// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.features.log.Feed;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.http.Recheck;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions as they get their numbers, for any number of followers, none of whom holds a thread.
 *
 * <p>As long as somebody follows there are two threads: one listens at the database for a word that
 * there is something new, the other reads it and hands it to those who have written what they had.
 * Who is at the same place gets the same page, so that many who wait for the next transaction cost
 * one look at the log.
 */
final class Newcomers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Newcomers.class);
  private static final int MOST = 1000;
  private static final int PAGE = 100;

  /** How often time is looked at, for heartbeats and deadlines. */
  private static final Duration TICK = Duration.ofMillis(250);

  /** How often the log is looked at without a word, should one have got lost. */
  private static final Duration TURN = Duration.ofSeconds(10);

  /** How long one may take to read what is written. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How often it is looked whether one may still follow. */
  static final Duration RECHECK = Duration.ofSeconds(15);

  /** What followers get to take the last of what they are told when the server stops. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final Supplier<TransactionLog> log;
  private final Recheck recheck = new Recheck(RECHECK);

  /** Guards what follows; never held while the database is asked or somebody is told. */
  private final Object lock = new Object();

  private final Set<ChangeFollower> followers = new HashSet<>();
  private Optional<Feed> feed = Optional.empty();
  private boolean running;

  /** How often threads were started, by which a listener knows whether it is still the one. */
  private long round;

  private boolean closed;

  /** Counts whatever may give somebody something to do. */
  private long words;

  Newcomers(Supplier<TransactionLog> log) {
    this.log = log;
  }

  /** Refuses whoever is one too many, or too late. */
  void requireRoom() {
    synchronized (lock) {
      requireRoom(closed ? MOST : followers.size());
    }
  }

  /** The same where so many follow. */
  static void requireRoom(int followers) {
    if (followers >= MOST) {
      throw new ProblemException(
          Problem.of(
              503,
              "busy",
              MOST
                  + " follow the log already, which is all this server takes, or it is stopping;"
                  + " try another, or again in a moment"),
          Map.of("Retry-After", "10"));
    }
  }

  void join(ChangeFollower follower) {
    synchronized (lock) {
      followers.add(follower);
      words++;
      lock.notifyAll();
      if (!running && !closed) {
        running = true;
        long mine = ++round;
        start(this::serve, "tidemark-feature-changes");
        start(() -> listen(mine), "tidemark-feature-words");
      }
    }
  }

  private static void start(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  void leave(ChangeFollower follower) {
    synchronized (lock) {
      followers.remove(follower);
      lock.notifyAll();
    }
  }

  /** There may be something to do for somebody. */
  void tell() {
    synchronized (lock) {
      words++;
      lock.notifyAll();
    }
  }

  boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  private List<ChangeFollower> all() {
    synchronized (lock) {
      return List.copyOf(followers);
    }
  }

  // The threads.

  private void serve() {
    try {
      long heard = -1;
      long looked = System.nanoTime();
      while (!isOver()) {
        long now = System.nanoTime();
        long told = word(heard);
        if (told != heard || now - looked >= TURN.toNanos()) {
          heard = told;
          looked = now;
          hand();
        }
        all().forEach(follower -> follower.tick(System.nanoTime(), PATIENCE.toNanos(), recheck));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the thread is nobody else's, so the process ends
    } catch (RuntimeException | Error e) {
      LOG.error("following the log of features failed; those who did come back", e);
      all().forEach(follower -> follower.abort(e));
      synchronized (lock) {
        stop();
      }
    }
  }

  /** Over when nobody follows any more; then nobody listens either. */
  private boolean isOver() {
    synchronized (lock) {
      if (followers.isEmpty()) {
        stop();
        return true;
      }
      return false;
    }
  }

  /** Under the lock, so that who joins from now on begins anew. */
  private void stop() {
    running = false;
    feed.ifPresent(Feed::close);
    feed = Optional.empty();
  }

  /** Waits a moment for a word that isn't known yet; how many there were. */
  private long word(long known) throws InterruptedException {
    synchronized (lock) {
      await(() -> words != known || followers.isEmpty(), TICK);
      return words;
    }
  }

  private void await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    synchronized (lock) {
      while (!condition.getAsBoolean()) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return;
        }
        lock.wait(left);
      }
    }
  }

  /** Hands what is new to those who wait for it; who can't be told is ended, and asks again. */
  private void hand() {
    Map<Long, List<LoggedTransaction>> pages = new HashMap<>();
    for (ChangeFollower follower : all()) {
      Optional<Long> after = follower.awaits();
      if (after.isPresent()) {
        try {
          List<LoggedTransaction> page =
              pages.computeIfAbsent(after.get(), last -> log.get().fromNumber(last + 1, PAGE));
          if (!page.isEmpty()) {
            follower.hand(page);
          }
        } catch (TidemarkException e) {
          LOG.debug("the log can't be followed", e);
          follower.end();
        }
      }
    }
  }

  /** Until nobody follows any more, or others listen. */
  private void listen(long mine) {
    while (isListening(mine)) {
      try (Feed words = log.get().feed(log.get().lastNumber())) {
        synchronized (lock) {
          feed = Optional.of(words); // so that it is closed when nobody needs it
        }
        while (isListening(mine)) {
          if (words.next(TURN).isPresent()) {
            tell();
          }
        }
      } catch (TidemarkException e) {
        LOG.debug("nobody listens for changes of features for a moment", e);
        tell(); // who waits is told by asking the log
        LockSupport.parkNanos(TICK.toNanos());
      }
    }
  }

  private boolean isListening(long mine) {
    synchronized (lock) {
      return running && round == mine;
    }
  }

  /** Ends all; those who read what they were sent get it whole. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    all().forEach(ChangeFollower::iterate);
    try {
      await(followers::isEmpty, FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // who is in a hurry doesn't wait for slow readers
    }
    all().forEach(follower -> follower.abort(new TimeoutException("the server stops")));
    recheck.close();
  }
}
