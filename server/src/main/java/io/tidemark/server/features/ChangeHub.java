// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureLog;
import io.tidemark.api.features.FeatureTail;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.Caller;
import io.tidemark.server.http.PushHub;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions as they get their numbers, for any number of followers.
 *
 * <p>As long as somebody follows there are two threads: one follows the log for a word that there
 * is something new, that of the hub reads it and hands it to those who have written what they had.
 * Who is at the same place gets the same page, so that many who wait for the next transaction cost
 * one look at the log.
 */
final class ChangeHub implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeHub.class);
  private static final int PAGE = 100;

  /** How often the log is looked at without a word, should one have got lost. */
  private static final Duration TURN = Duration.ofSeconds(10);

  private static final Duration BEFORE_LISTENING_AGAIN = Duration.ofMillis(250);

  private static final PushHub.Settings SETTINGS =
      new PushHub.Settings(
          "tidemark-feature-changes",
          "busy",
          1000,
          1000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Duration.ZERO);

  private final Supplier<FeatureLog> log;
  private final Set<ChangeSubscriber> waiting = ConcurrentHashMap.newKeySet();
  private final PushHub hub = new PushHub(SETTINGS, Source::new);

  ChangeHub(Supplier<FeatureLog> log) {
    this.log = log;
  }

  PushHub hub() {
    return hub;
  }

  /** Refuses a follower that is one too many, or too late. */
  void requireRoom(Caller caller) {
    hub.requireRoom(caller);
  }

  /** Has a follower handed the next page, as soon as there is one. */
  void requestPage(ChangeSubscriber follower) {
    if (waiting.add(follower)) {
      hub.signal();
    }
  }

  @Override
  public void close() {
    hub.close();
  }

  /** What followers are handed, from the first of them to the last. */
  private final class Source implements PushHub.Source {
    private final Thread listener = new Thread(this::listen, "tidemark-feature-words");
    private Optional<FeatureTail> tail = Optional.empty();
    private boolean over;
    private long looked = System.nanoTime();

    Source() {
      listener.setDaemon(true);
      listener.start();
    }

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
      if (hub.pause(atMost) || System.nanoTime() - looked >= TURN.toNanos()) {
        looked = System.nanoTime();
        hand();
      }
      return false; // who was handed something was told so
    }

    /** Hands what is new to those who wait for it; who can't be told is ended, and asks again. */
    private void hand() {
      Map<Long, FeatureChanges> pages = new HashMap<>();
      waiting.removeIf(follower -> !follower.isSubscribed());
      for (ChangeSubscriber follower : List.copyOf(waiting)) {
        Optional<Long> after = follower.awaitedNumber();
        if (after.isEmpty()) {
          continue;
        }
        try {
          FeatureChanges page =
              pages.computeIfAbsent(
                  after.get(), last -> log.get().changes(OptionalLong.of(last), PAGE));
          if (page.after() > after.get()) {
            waiting.remove(follower);
            follower.deliver(page);
          }
        } catch (TidemarkException e) {
          LOG.debug("the log can't be followed", e);
          follower.end();
        }
      }
    }

    private void listen() {
      while (!isOver()) {
        try (FeatureTail words = log.get().follow(OptionalLong.empty())) {
          listenTo(words);
          while (!isOver()) {
            if (words.next(TURN).isPresent()) {
              hub.signal();
            }
          }
        } catch (TidemarkException e) {
          LOG.debug("nobody listens for changes of features for a moment", e);
          hub.signal(); // who waits is told by asking the log
          LockSupport.parkNanos(BEFORE_LISTENING_AGAIN.toNanos());
        }
      }
    }

    private synchronized boolean isOver() {
      return over;
    }

    /** Keeps a tail, so that it is closed when nobody needs it. */
    private synchronized void listenTo(FeatureTail words) {
      tail = Optional.of(words);
      if (over) {
        words.close();
      }
    }

    @Override
    public synchronized void close() {
      over = true;
      tail.ifPresent(FeatureTail::close);
    }
  }
}
