// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.SqlSession;
import io.tidemark.objects.TidemarkException;
import java.time.LocalDate;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maintenance of the transaction log. */
final class LogMaintenance {

  static final String LOG = "naksha_tx";

  private static final int DAYS_AHEAD = 2;

  private final SqlSession sqlSession;
  private final MaintainOptions options;
  private final MaintenanceSteps maintenanceSteps;

  LogMaintenance(SqlSession sqlSession, MaintainOptions options) {
    this.sqlSession = sqlSession;
    this.options = options;
    this.maintenanceSteps = new MaintenanceSteps(sqlSession);
  }

  MaintenanceReport run() {
    @Nullable String failure = null;
    try {
      LocalDate today = Partition.today(sqlSession);
      createAhead(today);
      dropOld(today);
    } catch (TidemarkException e) {
      sqlSession.rollback();
      failure = e.getMessage();
    }
    return new MaintenanceReport(LOG, maintenanceSteps.done(), null, failure);
  }

  private void createAhead(LocalDate today) {
    Set<String> there =
        Partition.of(sqlSession, LOG).stream().map(Partition::name).collect(Collectors.toSet());
    for (int n = 0; n <= DAYS_AHEAD; n++) {
      LocalDate day = today.plusDays(n);
      String name = LOG + Partition.suffix(day);
      if (!there.contains(name)) {
        maintenanceSteps.step(
            MaintenanceStep.Kind.CREATED,
            name,
            () -> {
              sqlSession.call("SELECT %s.naksha_partition('naksha_tx', ?, '{}')", day);
              return "";
            });
      }
    }
  }

  private void dropOld(LocalDate today) {
    if (options.logDays().isEmpty()) {
      return;
    }
    LocalDate oldest = today.minusDays(options.logDays().getAsLong());
    for (Partition partition : Partition.of(sqlSession, LOG)) {
      if (partition.isBefore(oldest)) {
        drop(partition);
      }
    }
  }

  private void drop(Partition partition) {
    String table = sqlSession.place().table(partition.name());
    if (sqlSession.queryBoolean(
        "SELECT EXISTS (SELECT FROM " + table + " WHERE seq_number IS NULL)")) {
      maintenanceSteps.skip(
          partition.name(), "it has transactions without a number; start a sequencer");
      return;
    }
    maintenanceSteps.step(
        MaintenanceStep.Kind.DROPPED,
        partition.name(),
        () -> {
          boolean gone = sqlSession.queryBoolean("SELECT %s.naksha_tx_drop(?)", partition.first());
          return gone ? "" : "not yet: a transaction without a number came in between";
        });
  }
}
