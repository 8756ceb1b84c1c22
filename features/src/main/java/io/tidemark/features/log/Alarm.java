// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.Session;
import java.time.Duration;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Waits for a word of other sessions. Words get lost with a connection, so nobody relies on it. */
final class Alarm {

  /** As the SQL has it, which sees to it that the name isn't too long. */
  private static final int LONGEST = 60;

  private final Session session;

  /**
   * Hears from now on what is sent on a channel of the storage.
   *
   * @param channel how its name begins
   */
  Alarm(Session session, String channel) {
    String name = channel + session.place().schema();
    session.run("LISTEN \"" + name.substring(0, Math.min(name.length(), LONGEST)) + '"');
    this.session = session;
  }

  /** Waits until there is a word; false when there was none in that time. */
  boolean rings(Duration atMost) {
    // No time at all would mean for ever.
    long millis = Math.min(Math.max(atMost.toMillis(), 1), Integer.MAX_VALUE);
    return session.with(
        connection -> {
          PGNotification[] words =
              connection.unwrap(PGConnection.class).getNotifications((int) millis);
          return words != null && words.length > 0;
        });
  }
}
