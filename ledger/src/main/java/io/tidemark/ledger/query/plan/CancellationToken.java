// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import io.tidemark.objects.TidemarkException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets another thread end a question that is under way: because it takes too long, or because who
 * asked has gone. One serves one question, or several of one asker.
 *
 * <p>A statement is cancelled; between rows it is looked at too. What is brought to a replica or
 * fetched from the store meanwhile comes to its end first, since others gain by it.
 */
public final class CancellationToken {

  private final Set<Runnable> running = ConcurrentHashMap.newKeySet();
  private volatile Optional<TidemarkException> reason = Optional.empty();

  /** Something to be done whose end is told by closing this. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Ends what is under way, and what begins later, with this; saying it again may tell no other.
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

  /** Returns what it was ended with. */
  public TidemarkException reason() {
    return reason.orElseThrow();
  }

  /** Fails if it was ended. */
  public void throwIfCancelled() {
    if (reason.isPresent()) {
      throw reason.get();
    }
  }

  /** From now on, until the answer is closed, a statement is cancelled when this is ended. */
  public Registration register(Statement statement) {
    return register(() -> cancel(statement));
  }

  /** From now on, until the answer is closed, something is done when this is ended. */
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
