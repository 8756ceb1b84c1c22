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
 * Hub of transactions as they get their numbers, for any number of followers.
 *
 * <p>While there are followers, two threads run. One follows the log and signals new entries. The
 * thread of the hub reads them and delivers them to followers that have written their previous
 * page. Followers at the same position share a page, so many of them cost one read of the log.
 */
final class ChangeHub implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeHub.class);
  private static final int PAGE = 100;

  /** Interval at which the log is read without a signal, in case one was lost. */
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

  /** Refuses a follower beyond the limits, or when the hub is closed. */
  void requireRoom(Caller caller) {
    hub.requireRoom(caller);
  }

  /** Requests delivery of the next page to a follower, as soon as there is one. */
  void requestPage(ChangeSubscriber follower) {
    if (waiting.add(follower)) {
      hub.signal();
    }
  }

  @Override
  public void close() {
    hub.close();
  }

  /** Source of the pages, open from the first follower to the last. */
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
      return false; // pages were delivered to each follower directly
    }

    /**
     * Delivers new pages to waiting followers. A follower whose page can't be read is ended, and
     * its client asks again.
     */
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
          hub.signal(); // waiting followers are served by reading the log
          LockSupport.parkNanos(BEFORE_LISTENING_AGAIN.toNanos());
        }
      }
    }

    private synchronized boolean isOver() {
      return over;
    }

    /** Keeps a tail so that it can be closed when it is no longer needed. */
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
