// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.SqlSession;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives visible transactions their numbers: 1, 2, 3 and so on, without gaps.
 *
 * <p>There may be several sequencers, in several processes. One of them leads, by a lock that its
 * session holds and that is free when the session ends, however it ends. The other sequencers ask
 * for the lock from time to time. The database guarantees correctness, see {@code naksha_sequence};
 * this class decides when to run it. While there are transactions to number it polls. Then it waits
 * for a notification, after one more poll for transactions that arrived in between. A lost
 * notification costs a pause of {@link SequencerOptions#poll}, no more.
 */
public final class Sequencer implements AutoCloseable {

  static final int A_ROUND = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Sequencer.class);

  /** A commit that saw it awake takes at most so long, as a rule. */
  private static final Duration NAP = Duration.ofMillis(50);

  /** Number of polls after which all days are searched, even under load. */
  private static final int POLLS = 10;

  private static final long CLOSING_SECONDS = 10;

  private static final String SLEEP = "SELECT %s.naksha_sequencer_sleep(?)";

  private final FeatureStorage featureStorage;
  private final SequencerOptions options;
  private final @Nullable HeadPublisher heads;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "tidemark-sequencer");

  private long searchedAll;
  private volatile @Nullable SqlSession sqlSession;
  private volatile boolean leading;
  private volatile @Nullable String failure;

  private Sequencer(FeatureStorage featureStorage, SequencerOptions options) {
    this.featureStorage = featureStorage;
    this.options = options;
    this.heads =
        options.names() == null
            ? null
            : new HeadPublisher(featureStorage, options.names(), options.poll());
  }

  static Sequencer start(FeatureStorage featureStorage, SequencerOptions options) {
    Sequencer sequencer = new Sequencer(featureStorage, options);
    sequencer.thread.setDaemon(true);
    sequencer.thread.start();
    return sequencer;
  }

  /** Returns the status of this sequencer. */
  public SequencerStatus status() {
    return new SequencerStatus(leading, failure, heads == null ? Map.of() : heads.lagging());
  }

  private void run() {
    while (!isClosing()) {
      try (SqlSession opened = featureStorage.dedicatedSession()) {
        sqlSession = opened;
        work(opened);
      } catch (RuntimeException e) {
        if (!isClosing()) {
          failure = e.getMessage();
          LOG.warn("the sequencer can't work; it tries again in {}", options.poll(), e);
        }
      } catch (InterruptedException e) {
        return; // nobody interrupts it but who wants it to end
      }
      stopLeading();
      try {
        boolean unused = waited(options.poll());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void work(SqlSession sqlSession) throws InterruptedException {
    while (!sqlSession.queryBoolean("SELECT %s.naksha_sequencer_lead()")) {
      failure = null;
      if (!waited(options.poll())) {
        return;
      }
    }
    LOG.debug("this is the sequencer now");
    NotificationListener notificationListener = new NotificationListener(sqlSession, "naksha_tx_");
    leading = true;
    if (heads != null) {
      heads.start();
    }
    searchAll(); // for what the one before has left
    while (!isClosing()) {
      boolean numbered = numberAll(sqlSession);
      failure = null;
      if (numbered) {
        continue; // with a look at those who committed meanwhile
      }
      sleep(sqlSession, 1);
      // A transaction that saw the sequencer awake has committed by now, or does so within the nap.
      boolean woken =
          numberAll(sqlSession)
              || notificationListener.awaitNotification(NAP)
              || numberAll(sqlSession);
      if (!woken && !notificationListener.awaitNotification(options.poll())) {
        searchAll();
      }
      sleep(sqlSession, 0);
    }
  }

  /** Numbers transactions until none is left; returns whether there were any. */
  private boolean numberAll(SqlSession sqlSession) throws InterruptedException {
    boolean some = false;
    while (!isClosing()
        && sqlSession.queryLong("SELECT %s.naksha_sequence(?, ?)", A_ROUND, search()) > 0) {
      some = true;
      if (heads != null) {
        heads.wake();
      }
      if (!waited(options.pause())) {
        break;
      }
    }
    return some;
  }

  private void searchAll() {
    searchedAll = System.nanoTime() - POLLS * options.poll().toNanos();
  }

  /**
   * Days that are settled are searched from time to time, even under load. A load takes its txn
   * long before the transaction that commits it, and rows may also be inserted by hand.
   */
  private String search() {
    long now = System.nanoTime();
    if (now - searchedAll < POLLS * options.poll().toNanos()) {
      return "open";
    }
    searchedAll = now;
    return "all";
  }

  private static void sleep(SqlSession sqlSession, int sleeps) {
    sqlSession.call(SLEEP, sleeps);
  }

  private void stopLeading() {
    sqlSession = null;
    leading = false;
    if (heads != null) {
      heads.stop();
    }
  }

  /** Waits; returns false when the sequencer is to end. */
  private boolean waited(Duration time) throws InterruptedException {
    return !closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /**
   * Stops numbering; another sequencer may take over. A round in progress takes effect or doesn't.
   */
  @Override
  public void close() {
    boolean led = leading;
    closing.countDown();
    try {
      SqlSession used = sqlSession;
      if (used != null) {
        used.abort();
      }
      thread.join(TimeUnit.SECONDS.toMillis(CLOSING_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (heads != null) {
      heads.close();
    }
    if (led) {
      disableNotification();
    }
  }

  /**
   * Tells commits that they needn't notify a sequencer any more. If another sequencer leads
   * already, it only sleeps a poll longer.
   */
  private void disableNotification() {
    try {
      featureStorage.call(SLEEP, 0);
    } catch (RuntimeException e) {
      LOG.debug("commits go on to wake a sequencer that has ended, until another one starts", e);
    }
  }
}
