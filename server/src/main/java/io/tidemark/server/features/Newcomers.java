// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.features.log.Feed;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions as they get their numbers, for any number of callers: one connection to the database
 * listens for all of them, as long as somebody waits. Since who waits holds a thread, few may; the
 * others are told at once that there is nothing yet.
 */
final class Newcomers {

  private static final Logger LOG = LoggerFactory.getLogger(Newcomers.class);
  private static final int MOST_WAITING = 16;
  private static final Duration TURN = Duration.ofSeconds(10);

  /** How often who waits looks whether it is to end. */
  private static final long LOOK_MILLIS = 500;

  private final Supplier<TransactionLog> log;
  private final Semaphore places = new Semaphore(MOST_WAITING);
  private boolean listening;
  private long waiting;
  private long words;

  Newcomers(Supplier<TransactionLog> log) {
    this.log = log;
  }

  /**
   * Transactions with a number above one, in order.
   *
   * @param millis how long to wait for the first of them
   * @param ending whether to wait no longer
   */
  List<LoggedTransaction> after(long number, int most, long millis, BooleanSupplier ending) {
    boolean waits = millis > 0 && places.tryAcquire();
    try {
      return awaited(number, most, waits ? millis : 0, ending);
    } finally {
      if (waits) {
        places.release();
      }
    }
  }

  /** The same for who has seen to it that not too many wait. */
  List<LoggedTransaction> awaited(long number, int most, long millis, BooleanSupplier ending) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (true) {
      long heard = heard();
      List<LoggedTransaction> found = log.get().fromNumber(number + 1, most);
      long left = end - System.nanoTime();
      if (!found.isEmpty() || left <= 0 || ending.getAsBoolean()) {
        return found;
      }
      heardMore(heard, number, left, ending);
    }
  }

  private synchronized long heard() {
    return words;
  }

  /** Waits for a word that isn't known yet, for so long at most. */
  private synchronized void heardMore(long known, long after, long nanos, BooleanSupplier ending) {
    long end = System.nanoTime() + nanos;
    waiting++;
    try {
      while (words == known && !ending.getAsBoolean()) {
        if (!listening) {
          listening = true;
          Thread thread = new Thread(() -> listen(after), "tidemark-feature-changes");
          thread.setDaemon(true);
          thread.start();
        }
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return;
        }
        wait(Math.min(left, LOOK_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("the server stops; ask another one, or later", e);
    } finally {
      waiting--;
    }
  }

  /** Until nobody waits any more, or the database is away: then who waits is told by asking it. */
  private void listen(long after) {
    try (Feed feed = log.get().feed(after)) {
      do {
        if (feed.next(TURN).isPresent()) {
          tell();
        }
      } while (somebodyWaits());
    } catch (TidemarkException e) {
      LOG.debug("nobody listens for changes of features until somebody asks again", e);
    } finally {
      stopped();
    }
  }

  private synchronized void tell() {
    words++;
    notifyAll();
  }

  private synchronized boolean somebodyWaits() {
    return waiting > 0;
  }

  private synchronized void stopped() {
    listening = false;
    words++;
    notifyAll();
  }
}
