// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.objects.RequestTimers;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Timeout that ends a statement when its time is over. */
final class StatementTimeout implements AutoCloseable {

  private final Duration limit;
  private final ScheduledFuture<?> alarm;
  private volatile boolean ended;

  private StatementTimeout(Runnable end, Duration limit) {
    this.limit = limit;
    this.alarm =
        RequestTimers.shared().schedule(() -> end(end), limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  static StatementTimeout on(Statement statement, Duration limit) {
    return new StatementTimeout(() -> cancel(statement), limit);
  }

  /** Calls something once the time is over, on a thread that mustn't wait. */
  static StatementTimeout after(Duration limit, Runnable end) {
    return new StatementTimeout(end, limit);
  }

  private void end(Runnable action) {
    ended = true;
    action.run();
  }

  private static void cancel(Statement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      return; // it has come to its end by itself
    }
  }

  boolean hasEnded() {
    return ended;
  }

  SqlLimitException exceeded() {
    return new SqlLimitException(
        "the statement was ended after "
            + limit.toMillis() / 1000.0
            + " s; ask for less, or give it more time");
  }

  @Override
  public void close() {
    alarm.cancel(false);
  }
}
