// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import java.util.List;
import java.util.Optional;

/** Outcome of an attempt to maintain a storage. */
public sealed interface MaintenanceOutcome {

  /**
   * All that was due was tried.
   *
   * @param upkeep one report for the log, one for leftovers of loads if there were any, then one
   *     for each collection by id
   */
  record Done(List<MaintenanceReport> upkeep) implements MaintenanceOutcome {

    public Done {
      upkeep = List.copyOf(upkeep);
    }

    /** Returns the report of a collection. */
    public Optional<MaintenanceReport> of(String name) {
      return upkeep.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /** Returns the reports of maintenance that failed at least in part. */
    public List<MaintenanceReport> failed() {
      return upkeep.stream().filter(each -> each.failure() != null).toList();
    }
  }

  /** Another maintainer is running; no step was done. */
  record Busy() implements MaintenanceOutcome {}
}
