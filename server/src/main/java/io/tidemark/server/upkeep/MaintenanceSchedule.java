// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.ledger.OrphanCollector;
import java.time.Duration;

/**
 * How often a caretaker looks after a ledger.
 *
 * @param after how long after its head has moved: its writer sees to most of it, and is let finish
 * @param sweep how often if it hasn't: a writer that died may have moved it and told nobody
 * @param collect how often what nobody needs is looked for, which lists all its objects
 * @param safeAge how old that has to be to be deleted
 */
public record MaintenanceSchedule(
    Duration after, Duration sweep, Duration collect, Duration safeAge) {

  public static MaintenanceSchedule standard() {
    return new MaintenanceSchedule(
        Duration.ofSeconds(30), Duration.ofHours(1), Duration.ofHours(6), OrphanCollector.SAFE_AGE);
  }
}
