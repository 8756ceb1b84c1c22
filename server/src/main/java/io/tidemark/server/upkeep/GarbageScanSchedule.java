// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.names.Address;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * When to search each ledger for what nobody needs. That lists all its objects, and a server that
 * was just started has all ledgers before it, so the first search of each is some time within a
 * round.
 */
final class GarbageScanSchedule {

  private final MaintenanceSchedule maintenanceSchedule;
  private final RandomGenerator chance;
  private final Map<Address, Long> next = new HashMap<>();

  GarbageScanSchedule(MaintenanceSchedule maintenanceSchedule, RandomGenerator chance) {
    this.maintenanceSchedule = maintenanceSchedule;
    this.chance = chance;
  }

  /** When the next is, of a ledger that is seen at this time. */
  long next(Address address, long now) {
    return next.computeIfAbsent(
        address, first -> now + chance.nextLong(maintenanceSchedule.sweep().toNanos() + 1));
  }

  /** Returns whether it is time for one; if so, it counts as done. */
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
