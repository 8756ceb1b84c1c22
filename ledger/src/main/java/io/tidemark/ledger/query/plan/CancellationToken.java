// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import io.tidemark.objects.TidemarkException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Token by which another thread cancels a query: because it takes too long, or because the caller
 * has gone. A token serves one query, or several of one caller.
 *
 * <p>A running statement is cancelled; between rows the token is checked too. A load into a replica
 * or a fetch from the store completes first, since other queries gain by it.
 */
public final class CancellationToken {

  private final Set<Runnable> running = ConcurrentHashMap.newKeySet();
  private volatile Optional<TidemarkException> reason = Optional.empty();

  /** Registration of an action, which ends when it is closed. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Cancels everything that is registered, and everything that is registered later. Only the first
   * call's reason is kept.
   */
  public void cancel(TidemarkException why) {
    if (reason.isEmpty()) {
      reason = Optional.of(why);
    }
    running.forEach(Runnable::run);
  }

  private static void cancel(Statement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      return; // it has come to its end by itself
    }
  }

  public boolean isCancelled() {
    return reason.isPresent();
  }

  /** Returns the reason of the cancellation. */
  public TidemarkException reason() {
    return reason.orElseThrow();
  }

  /** Throws the reason if the token is cancelled. */
  public void throwIfCancelled() {
    if (reason.isPresent()) {
      throw reason.get();
    }
  }

  /** Has a statement cancelled with this token, until the registration is closed. */
  public Registration register(Statement statement) {
    return register(() -> cancel(statement));
  }

  /** Has an action run when this token is cancelled, until the registration is closed. */
  public Registration register(Runnable cancel) {
    running.add(cancel);
    try {
      throwIfCancelled();
    } catch (TidemarkException e) {
      running.remove(cancel);
      throw e;
    }
    return () -> running.remove(cancel);
  }
}
