// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.ledger.OrphanCollector;
import java.time.Duration;

/**
 * Intervals of the maintenance of a ledger.
 *
 * @param after delay after an update of the head, in which its writer does most of the work itself
 * @param sweep interval without updates, since a writer may have died before it announced one
 * @param collect interval of garbage scans, which list all objects
 * @param safeAge minimum age of garbage to delete
 */
public record MaintenanceSchedule(
    Duration after, Duration sweep, Duration collect, Duration safeAge) {

  public static MaintenanceSchedule standard() {
    return new MaintenanceSchedule(
        Duration.ofSeconds(30), Duration.ofHours(1), Duration.ofHours(6), OrphanCollector.SAFE_AGE);
  }
}
