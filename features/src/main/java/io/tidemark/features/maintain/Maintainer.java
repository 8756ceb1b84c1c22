// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Performs the maintenance that is due: creates the partitions of the coming days, drops those that
 * are too old, seals past days or merges them to months, measures collections, and drops the tables
 * of killed loads.
 *
 * <p>Only one maintainer runs at a time, by a lock that its session holds. A failure for one
 * collection doesn't affect the other collections. A step that would block other sessions is given
 * up soon and left for the next run.
 */
public final class Maintainer {

  /** Limits how long other sessions may wait for a step that waits itself. */
  private static final String SETTINGS = "SET lock_timeout = '200ms'; SET statement_timeout = 0";

  private final FeatureStorage featureStorage;
  private final MaintainOptions options;

  public Maintainer(FeatureStorage featureStorage, MaintainOptions options) {
    this.featureStorage = featureStorage;
    this.options = options;
  }

  /** Performs all maintenance that is due, unless another maintainer runs. */
  public MaintenanceOutcome run() {
    return run(name -> {});
  }

  /**
   * Performs the maintenance that is due and reports progress.
   *
   * @param turn gets the name of a collection, or of the log, before it is maintained
   */
  public MaintenanceOutcome run(Consumer<String> turn) {
    try (SqlSession sqlSession = featureStorage.dedicatedSession()) {
      sqlSession.run(SETTINGS);
      if (!locked(sqlSession)) {
        return new MaintenanceOutcome.Busy();
      }
      begin(sqlSession);
      return new MaintenanceOutcome.Done(maintain(sqlSession, turn));
    }
  }

  private static boolean locked(SqlSession sqlSession) {
    return sqlSession.queryBoolean(
        "SELECT pg_try_advisory_lock(hashtext('%s.naksha'), hashtext('maintainer'))");
  }

  private static void begin(SqlSession sqlSession) {
    sqlSession.with(
        connection -> {
          connection.setNetworkTimeout(Runnable::run, 0); // to measure a collection may take long
          connection.setAutoCommit(false);
          return true;
        });
  }

  private List<MaintenanceReport> maintain(SqlSession sqlSession, Consumer<String> turn) {
    List<MaintenanceReport> done = new ArrayList<>();
    turn.accept(LogMaintenance.LOG);
    done.add(new LogMaintenance(sqlSession, options).run());
    new LoadCleanup(sqlSession).run().ifPresent(done::add);
    for (String text :
        sqlSession.queryTexts("SELECT naksha_collections::text FROM %s.naksha_collections(true)")) {
      sqlSession.commit();
      if (Thread.currentThread().isInterrupted()) {
        break; // whoever runs it has to end; what is left is due the next time too
      }
      CollectionMaintenance next = new CollectionMaintenance(sqlSession, text, options);
      turn.accept(next.id());
      done.add(next.run());
    }
    sqlSession.commit();
    return done;
  }
}
