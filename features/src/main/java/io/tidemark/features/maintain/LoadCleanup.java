// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.SqlSession;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.Optional;

/** Drops the tables left behind by loads that were killed. */
final class LoadCleanup {

  static final String LOADS = "naksha_load";

  private final SqlSession sqlSession;

  LoadCleanup(SqlSession sqlSession) {
    this.sqlSession = sqlSession;
  }

  /** Drops leftover tables and returns a report; empty when there were none. */
  Optional<MaintenanceReport> run() {
    try {
      List<MaintenanceStep> dropped =
          sqlSession.queryTexts("SELECT naksha_load_clean FROM %s.naksha_load_clean()").stream()
              .map(
                  table ->
                      new MaintenanceStep(
                          MaintenanceStep.Kind.DROPPED, table, "a load was killed and left it"))
              .toList();
      sqlSession.commit();
      return dropped.isEmpty()
          ? Optional.empty()
          : Optional.of(new MaintenanceReport(LOADS, dropped, null, null));
    } catch (TidemarkException e) {
      sqlSession.rollback();
      return Optional.of(new MaintenanceReport(LOADS, List.of(), null, e.getMessage()));
    }
  }
}
