// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.plan.StoppedQueryException;
import io.tidemark.server.http.Call;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends a question when its time is over, or when who asked has gone. Most are answered before
 * anybody can go; so connections are watched only after a moment.
 */
final class Deadline implements AutoCloseable {

  private static final Duration MOMENT = Duration.ofMillis(200);
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "tidemark-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    clock.setRemoveOnCancelPolicy(true); // so that no question is kept for its alarm
    return clock;
  }

  private final Call call;
  private final Stop stop = new Stop();
  private final Duration limit;
  private ScheduledFuture<?> end;
  private final ScheduledFuture<?> moment;
  private Optional<AutoCloseable> watched = Optional.empty();
  private boolean over;

  /** As long as a query may take, from now on. */
  Deadline(Call call) {
    this(call, call.limits().sql().time());
  }

  /** From now on. */
  Deadline(Call call, Duration limit) {
    this.call = call;
    this.limit = limit;
    this.end = alarm();
    this.moment = CLOCK.schedule(this::watch, MOMENT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private ScheduledFuture<?> alarm() {
    return CLOCK.schedule(
        () ->
            stop.now(
                new StoppedQueryException(
                    "the query was ended after "
                        + limit.toMillis() / 1000.0
                        + " s; ask for less, or give it more time if the server allows it")),
        limit.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** Lets the question have all of its time from now on, unless it has ended. */
  synchronized void restart() {
    if (!over && end.cancel(false)) {
      end = alarm();
    }
  }

  private synchronized void watch() {
    if (!over) {
      watched =
          Optional.of(
              call.onDeparture(
                  () -> stop.now(new StoppedQueryException("who asked has gone away"))));
    }
  }

  /** What ends the question. */
  Stop stop() {
    return stop;
  }

  @Override
  public void close() {
    moment.cancel(false);
    Optional<AutoCloseable> watch;
    synchronized (this) {
      over = true;
      end.cancel(false);
      watch = watched;
    }
    try {
      if (watch.isPresent()) {
        watch.get().close();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
