// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Report on the maintenance of a collection, or of the log.
 *
 * @param name the collection, {@code naksha_tx} for the log, or {@code naksha_load} for the
 *     leftovers of killed loads
 * @param steps the steps on its tables
 * @param statistics the measured statistics; null for the log and for loads, after a failure, and
 *     when a lock wasn't free
 * @param failure why some steps couldn't be done; null when all were
 */
public record MaintenanceReport(
    String name,
    List<MaintenanceStep> steps,
    @Nullable CollectionStatistics statistics,
    @Nullable String failure) {

  public MaintenanceReport {
    steps = List.copyOf(steps);
  }

  /** Returns the tables to which something was done. */
  public List<String> tables(MaintenanceStep.Kind kind) {
    return steps.stream()
        .filter(maintenanceStep -> maintenanceStep.kind() == kind)
        .map(MaintenanceStep::table)
        .toList();
  }
}
