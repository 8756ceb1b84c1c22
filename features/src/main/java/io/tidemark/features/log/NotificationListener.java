// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.SqlSession;
import java.time.Duration;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listener for notifications of other sessions. Notifications get lost with a connection, so
 * callers also poll.
 */
final class NotificationListener {

  /** As the SQL has it, which sees to it that the name isn't too long. */
  private static final int LONGEST = 60;

  private final SqlSession sqlSession;

  /**
   * Starts to listen on a channel of the storage.
   *
   * @param channel the prefix of the channel's name
   */
  NotificationListener(SqlSession sqlSession, String channel) {
    String name = channel + sqlSession.place().schema();
    sqlSession.run("LISTEN \"" + name.substring(0, Math.min(name.length(), LONGEST)) + '"');
    this.sqlSession = sqlSession;
  }

  /** Waits for a notification; returns false when none came in that time. */
  boolean awaitNotification(Duration atMost) {
    // No time at all would mean for ever.
    long millis = Math.min(Math.max(atMost.toMillis(), 1), Integer.MAX_VALUE);
    return sqlSession.with(
        connection -> {
          PGNotification[] words =
              connection.unwrap(PGConnection.class).getNotifications((int) millis);
          return words != null && words.length > 0;
        });
  }
}
