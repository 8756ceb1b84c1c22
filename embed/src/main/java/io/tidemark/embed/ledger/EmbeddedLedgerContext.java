// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.QueryCancelledException;
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
record EmbeddedLedgerContext(
    LedgerCache cache, Address address, SqlLimits limits, Cancellation cancellation) {

  EmbeddedLedgerContext withCancellation(Cancellation other) {
    return new EmbeddedLedgerContext(cache, address, limits, other);
  }

  /** Applies a function to the open ledger. */
  <A> A with(Function<Ledger, A> work) {
    return cache.with(address, work);
  }

  /** Opens the ledger for a result that is read later; the caller closes it. */
  LedgerCache.LedgerHandle acquire() {
    return cache.acquire(address);
  }

  /** Begins an operation without a time limit of its own. */
  RunningOperation begin() {
    return begin(OptionalLong.empty());
  }

  /** Begins an operation that ends after so many milliseconds, if that is limited. */
  RunningOperation begin(OptionalLong timeoutMillis) {
    CancellationToken cancellationToken = new CancellationToken();
    Cancellation.Registration registration = cancellation.onCancel(cancellationToken::cancel);
    if (timeoutMillis.isEmpty()) {
      return new RunningOperation(cancellationToken, registration::close);
    }
    long millis = timeoutMillis.getAsLong();
    Future<?> alarm =
        RequestTimers.shared()
            .schedule(
                () ->
                    cancellationToken.cancel(
                        new QueryCancelledException(
                            "the query was ended after "
                                + millis / 1000.0
                                + " s; ask for less, or give it more time if the server allows"
                                + " it")),
                millis,
                TimeUnit.MILLISECONDS);
    return new RunningOperation(
        cancellationToken,
        () -> {
          alarm.cancel(false);
          registration.close();
        });
  }

  /** Operation under way; closing it ends the supervision of its time. */
  record RunningOperation(CancellationToken stop, Runnable end) implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }
}
