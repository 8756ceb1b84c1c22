// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.SqlSession;
import java.time.LocalDate;
import java.util.Set;
import java.util.TreeSet;

/**
 * Merges old days of the history to months. This takes several transactions, see {@code
 * naksha_merge_begin}. A merge that was killed is completed, or undone if the month isn't due.
 */
final class PartitionMerger {

  private static final int DAYS_BEFORE_MERGING = 31;

  private final SqlSession sqlSession;
  private final String collection;
  private final String history;
  private final MaintenanceSteps maintenanceSteps;

  PartitionMerger(SqlSession sqlSession, String collection, MaintenanceSteps maintenanceSteps) {
    this.sqlSession = sqlSession;
    this.collection = collection;
    this.history = collection + "_hst";
    this.maintenanceSteps = maintenanceSteps;
  }

  /** Returns the months all of whose days are old enough, as suffixes of table names. */
  Set<String> due(LocalDate today) {
    LocalDate old = today.minusDays(DAYS_BEFORE_MERGING);
    Set<String> months = new TreeSet<>();
    for (Partition partition : Partition.of(sqlSession, history)) {
      LocalDate end = partition.first().withDayOfMonth(1).plusMonths(1);
      if (!partition.isMonth() && !end.isAfter(old)) {
        months.add(partition.part().substring(0, 7));
      }
    }
    return months;
  }

  /** Merges these months and undoes merges of other months that were begun. */
  void run(Set<String> months) {
    for (String begun :
        sqlSession.queryTexts("SELECT naksha_merges FROM %s.naksha_merges(?)", collection)) {
      if (!months.contains(begun)) {
        part("undo", begun);
      }
    }
    for (String month : months) {
      if (part("begin", month) && part("copy", month)) {
        maintenanceSteps.step(
            MaintenanceStep.Kind.MERGED,
            table(month),
            () ->
                sqlSession.queryLong("SELECT %s.naksha_merge_swap(?, ?)", collection, month)
                    + " states");
      }
    }
    boolean unused =
        maintenanceSteps.part(
            "merged",
            history,
            () -> sqlSession.call("SELECT %s.naksha_merge_tidy(?)::text", collection));
  }

  private boolean part(String name, String month) {
    String call = "SELECT %s.naksha_merge_" + name + "(?, ?)::text";
    return maintenanceSteps.part(
        "merged", table(month), () -> sqlSession.call(call, collection, month));
  }

  private String table(String month) {
    return history + "_" + month;
  }
}
