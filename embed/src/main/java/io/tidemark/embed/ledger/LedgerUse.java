// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.plan.StoppedQueryException;
import io.tidemark.names.Address;
import io.tidemark.objects.RequestTimers;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Address of a ledger with the cache that opens it and the signal that ends its operations.
 *
 * @param limits limits of SQL statements, unless a request asks for others
 * @param cancellation ends operations of this use
 */
record LedgerUse(LedgerCache cache, Address address, SqlLimits limits, Cancellation cancellation) {

  LedgerUse until(Cancellation other) {
    return new LedgerUse(cache, address, limits, other);
  }

  /** Applies a function to the open ledger. */
  <A> A with(Function<Ledger, A> work) {
    return cache.with(address, work);
  }

  /** Opens the ledger for a result that is read later; the caller closes it. */
  LedgerCache.LedgerHandle lend() {
    return cache.lend(address);
  }

  /** Begins an operation without a time limit of its own. */
  Running begin() {
    return begin(OptionalLong.empty());
  }

  /** Begins an operation that ends after so many milliseconds, if that is limited. */
  Running begin(OptionalLong timeoutMillis) {
    Stop stop = new Stop();
    Cancellation.Registration registration = cancellation.onCancel(stop::now);
    if (timeoutMillis.isEmpty()) {
      return new Running(stop, registration::close);
    }
    long millis = timeoutMillis.getAsLong();
    Future<?> alarm =
        RequestTimers.shared()
            .schedule(
                () ->
                    stop.now(
                        new StoppedQueryException(
                            "the query was ended after "
                                + millis / 1000.0
                                + " s; ask for less, or give it more time if the server allows"
                                + " it")),
                millis,
                TimeUnit.MILLISECONDS);
    return new Running(
        stop,
        () -> {
          alarm.cancel(false);
          registration.close();
        });
  }

  /** Operation under way; closing it ends the supervision of its time. */
  record Running(Stop stop, Runnable end) implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }
}
