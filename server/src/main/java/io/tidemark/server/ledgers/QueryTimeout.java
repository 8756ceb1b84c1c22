// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.Cancellation;
import io.tidemark.ledger.query.plan.QueryCancelledException;
import io.tidemark.objects.RequestTimers;
import io.tidemark.server.http.HttpRequestContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Timer that cancels a query at its time limit, or when its client disconnects. Connections are
 * watched only after 200 ms, since most queries end before that.
 */
final class QueryTimeout implements AutoCloseable {

  private static final Duration MOMENT = Duration.ofMillis(200);
  private final HttpRequestContext httpRequestContext;
  private final Cancellation cancellation = new Cancellation();
  private final Duration limit;
  private final ScheduledFuture<?> end;
  private final ScheduledFuture<?> moment;
  private Optional<AutoCloseable> watched = Optional.empty();
  private boolean over;

  /** Starts a timer with the server's time limit of a query. */
  QueryTimeout(HttpRequestContext httpRequestContext) {
    this(httpRequestContext, httpRequestContext.limits().sql().time());
  }

  /** Starts a timer with this limit. */
  QueryTimeout(HttpRequestContext httpRequestContext, Duration limit) {
    this.httpRequestContext = httpRequestContext;
    this.limit = limit;
    this.end = scheduleTimeout();
    this.moment =
        RequestTimers.shared()
            .schedule(this::watchConnection, MOMENT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private ScheduledFuture<?> scheduleTimeout() {
    return RequestTimers.shared()
        .schedule(
            () ->
                cancellation.cancel(
                    new QueryCancelledException(
                        "the query was ended after "
                            + limit.toMillis() / 1000.0
                            + " s; ask for less, or give it more time if the server allows it")),
            limit.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private synchronized void watchConnection() {
    if (!over) {
      watched =
          Optional.of(
              httpRequestContext.onDisconnect(
                  () ->
                      cancellation.cancel(new QueryCancelledException("who asked has gone away"))));
    }
  }

  /** Returns the signal that ends the operation. */
  Cancellation cancellation() {
    return cancellation;
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
