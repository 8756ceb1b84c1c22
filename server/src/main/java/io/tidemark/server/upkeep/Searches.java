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
final class Searches {

  private final Rhythm rhythm;
  private final RandomGenerator chance;
  private final Map<Address, Long> next = new HashMap<>();

  Searches(Rhythm rhythm, RandomGenerator chance) {
    this.rhythm = rhythm;
    this.chance = chance;
  }

  /** When the next is, of a ledger that is seen at this time. */
  long next(Address address, long now) {
    return next.computeIfAbsent(
        address, first -> now + chance.nextLong(rhythm.sweep().toNanos() + 1));
  }

  /** Whether it is time for one; if so, it counts as done. */
  boolean begin(Address address, long now) {
    if (next(address, now) > now) {
      return false;
    }
    next.put(address, now + rhythm.collect().toNanos());
    return true;
  }

  void forget(Address address) {
    next.remove(address);
  }
}
