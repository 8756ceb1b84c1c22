// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was done for a collection, or for the log.
 *
 * @param name the collection, {@code naksha_tx} for the log, or {@code naksha_load} for what killed
 *     loads have left
 * @param steps what was done to its tables
 * @param statistics what was measured; null for what is no collection, when it failed before, and
 *     when others were in the way
 * @param failure why not all could be done; null when it was
 */
public record MaintenanceReport(
    String name,
    List<MaintenanceStep> steps,
    @Nullable CollectionStatistics statistics,
    @Nullable String failure) {

  public MaintenanceReport {
    steps = List.copyOf(steps);
  }

  /** The tables to which something was done. */
  public List<String> tables(MaintenanceStep.Kind kind) {
    return steps.stream()
        .filter(maintenanceStep -> maintenanceStep.kind() == kind)
        .map(MaintenanceStep::table)
        .toList();
  }
}
