// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.log.CollectionHeads.Head;
import io.tidemark.features.model.Txn;
import io.tidemark.names.NameService;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the heads of collections in the nameservice after the sequencer, in a thread of its own: a
 * slow or failing nameservice delays no number. The database knows the position of each head, so a
 * head that couldn't be moved is moved by the next attempt, of any process.
 */
final class HeadPublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HeadPublisher.class);

  private final FeatureStorage featureStorage;
  private final CollectionHeads names;
  private final AtomicBoolean waiting = new AtomicBoolean();
  private final Map<String, String> lagging = new ConcurrentHashMap<>();
  private final ScheduledExecutorService worker =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "tidemark-heads");
            thread.setDaemon(true);
            return thread;
          });

  private volatile boolean active;

  // Of the worker's alone.
  private final Map<String, Head> pending = new LinkedHashMap<>();
  private long seen;

  HeadPublisher(FeatureStorage featureStorage, NameService names, Duration poll) {
    this.featureStorage = featureStorage;
    this.names = new CollectionHeads(names, featureStorage.place().storageId());
    var unused =
        worker.scheduleWithFixedDelay(
            this::wake, poll.toMillis(), poll.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Returns the collections whose head isn't where it should be, with the reason. */
  Map<String, String> lagging() {
    return Map.copyOf(lagging);
  }

  /** Starts to move heads, beginning with all that there are. */
  void start() {
    active = true;
    wake();
  }

  /** Stops publishing, because another process publishes now. */
  void stop() {
    active = false;
  }

  /** Signals that heads have moved. */
  void wake() {
    if (active && waiting.compareAndSet(false, true)) {
      worker.execute(this::publish);
    }
  }

  private void publish() {
    waiting.set(false);
    try {
      for (Head head : moved()) {
        pending.put(head.collection(), head);
        seen = Math.max(seen, head.number());
      }
    } catch (RuntimeException e) {
      LOG.warn("can't read which heads have moved, and try again: {}", e.toString());
    }
    for (Head head : List.copyOf(pending.values())) {
      publish(head);
    }
  }

  private List<Head> moved() {
    return featureStorage.inTransaction(
        s ->
            s.queryRows(
                "SELECT collection, (SELECT value FROM %s.naksha_identity), number, txn"
                    + " FROM %s.naksha_heads WHERE number > ? ORDER BY number",
                row ->
                    new Head(
                        row.getString(1),
                        row.getString(2),
                        row.getLong(3),
                        new Txn(row.getLong(4))),
                seen));
  }

  private void publish(Head head) {
    try {
      checkNotAhead(names.publish(head), head);
      pending.remove(head.collection());
      lagging.remove(head.collection());
    } catch (RuntimeException e) {
      String reason = String.valueOf(e.getMessage());
      if (!reason.equals(lagging.put(head.collection(), reason))) {
        LOG.warn("can't move the head of {}, and try again: {}", head.collection(), reason);
      }
    }
  }

  /**
   * Checks that a head isn't beyond the last number; another sequencer may have moved it further.
   */
  private void checkNotAhead(long at, Head head) {
    if (at > head.number()) {
      long last = featureStorage.inTransaction(s -> new LogReader(s).lastNumber());
      if (at > last) {
        throw LogGoneException.headAhead(at, last);
      }
    }
  }

  @Override
  public void close() {
    active = false;
    worker.shutdownNow();
  }
}
