// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.db.SqlSession;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The steps for one collection or for the log, each a transaction of its own. */
final class MaintenanceSteps {

  private static final int TRIES = 3;

  private final SqlSession sqlSession;
  private final List<MaintenanceStep> done = new ArrayList<>();

  MaintenanceSteps(SqlSession sqlSession) {
    this.sqlSession = sqlSession;
  }

  /** Action of a step; returns a detail for the report, or an empty one. */
  @FunctionalInterface
  interface Action {
    String run();
  }

  List<MaintenanceStep> done() {
    return done;
  }

  /** Does a step. While a lock isn't free, the step is retried some times and then left. */
  void step(MaintenanceStep.Kind kind, String table, Action action) {
    String what = kind.name().toLowerCase(Locale.ROOT);
    boolean unused =
        part(what, table, () -> done.add(new MaintenanceStep(kind, table, action.run())));
  }

  /**
   * Does a part of a step that isn't reported by itself.
   *
   * @param what is to be done to the table, as in "it was merged"
   * @return false when it was left
   */
  boolean part(String what, String table, Runnable action) {
    for (int attempt = 1; ; attempt++) {
      try {
        action.run();
        sqlSession.commit();
        return true;
      } catch (TidemarkException e) {
        sqlSession.rollback();
        if (!PostgresErrorTranslator.isLockTimeout(e) && !PostgresErrorTranslator.isDeadlock(e)) {
          throw e;
        }
        if (attempt == TRIES) {
          skip(table, "others use it; it wasn't " + what);
          return false;
        }
      }
    }
  }

  /** Notes that something was left. */
  void skip(String table, String why) {
    done.add(new MaintenanceStep(MaintenanceStep.Kind.SKIPPED, table, why));
  }
}
