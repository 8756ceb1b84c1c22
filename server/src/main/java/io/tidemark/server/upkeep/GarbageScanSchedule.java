// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.names.Address;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Schedule of garbage scans of ledgers. A scan lists all objects of a ledger, and a freshly started
 * server has all ledgers to scan. So the first scan of each ledger is at a random time within a
 * sweep interval.
 */
final class GarbageScanSchedule {

  private final MaintenanceSchedule maintenanceSchedule;
  private final RandomGenerator chance;
  private final Map<Address, Long> next = new HashMap<>();

  GarbageScanSchedule(MaintenanceSchedule maintenanceSchedule, RandomGenerator chance) {
    this.maintenanceSchedule = maintenanceSchedule;
    this.chance = chance;
  }

  /** Returns the time of the next scan of a ledger; schedules the first one if there is none. */
  long next(Address address, long now) {
    return next.computeIfAbsent(
        address, first -> now + chance.nextLong(maintenanceSchedule.sweep().toNanos() + 1));
  }

  /** Returns whether a scan is due; if so, schedules the next one. */
  boolean tryBegin(Address address, long now) {
    if (next(address, now) > now) {
      return false;
    }
    next.put(address, now + maintenanceSchedule.collect().toNanos());
    return true;
  }

  void forget(Address address) {
    next.remove(address);
  }
}
