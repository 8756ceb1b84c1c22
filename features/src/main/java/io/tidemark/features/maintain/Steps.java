// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The steps for one collection or for the log, each a transaction of its own. */
final class Steps {

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String DEADLOCK = "40P01";
  private static final int TRIES = 3;

  private final Session session;
  private final List<Step> done = new ArrayList<>();

  Steps(Session session) {
    this.session = session;
  }

  /** Something to do; says more about it, or nothing. */
  @FunctionalInterface
  interface Action {
    String run() throws SQLException;
  }

  List<Step> done() {
    return done;
  }

  /** Does a step. When others are in the way, it is tried some times and then left. */
  void step(Step.Kind kind, String table, Action action) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        done.add(new Step(kind, table, action.run()));
        session.connection().commit();
        return;
      } catch (SQLException e) {
        session.connection().rollback();
        boolean inTheWay =
            LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState());
        if (!inTheWay) {
          throw e;
        }
        if (attempt == TRIES) {
          skip(table, "others use it; it wasn't " + kind.name().toLowerCase(Locale.ROOT));
          return;
        }
      }
    }
  }

  /** Notes that something was left. */
  void skip(String table, String why) {
    done.add(new Step(Step.Kind.SKIPPED, table, why));
  }
}
