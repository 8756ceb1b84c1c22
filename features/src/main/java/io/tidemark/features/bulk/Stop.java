// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.db.Session;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets others end a load: nothing new is begun, and what the server is at is cancelled. */
final class Stop {

  private static final Logger LOG = LoggerFactory.getLogger(Stop.class);

  private final IdentityHashMap<Session, PGConnection> busy = new IdentityHashMap<>();
  private boolean asked;
  private boolean tooLate;

  /** Ends what is going on, unless it is as good as done. */
  synchronized void ask() {
    asked = !tooLate;
    if (asked) {
      cancel();
    }
  }

  /** Cancels what the server is at, because something else has failed. */
  synchronized void cancel() {
    busy.values().forEach(Stop::cancel);
  }

  synchronized void check() {
    if (asked) {
      throw new LoadStoppedException("the load was stopped; nothing of it is there");
    }
  }

  /** From here on it can't be stopped any more. */
  synchronized void passed() {
    check();
    tooLate = true;
  }

  /** A session is used from now on, until it is left. */
  synchronized void enter(Session session) {
    check();
    busy.put(session, session.with(connection -> connection.unwrap(PGConnection.class)));
  }

  synchronized void leave(Session session) {
    busy.remove(session);
  }

  private static void cancel(PGConnection connection) {
    try {
      connection.cancelQuery();
    } catch (SQLException e) {
      LOG.debug("a statement couldn't be cancelled; it ends by itself or with its connection", e);
    }
  }
}
