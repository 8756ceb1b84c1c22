// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.names.Address;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Queue of ledgers by the time of their next inspection. There may be many, and each event asks for
 * the next one, so the queue is sorted. Times are nanoseconds on a clock that never overflows.
 */
final class MaintenanceQueue {

  private record Entry(Address address, long at) {}

  private final Map<Address, Entry> turns = new HashMap<>();
  private final TreeSet<Entry> inOrder =
      new TreeSet<>(Comparator.comparingLong(Entry::at).thenComparing(Entry::address));

  /** Schedules a ledger at this time, in place of any earlier schedule. */
  void put(Address address, long at) {
    remove(address);
    Entry entry = new Entry(address, at);
    turns.put(address, entry);
    inOrder.add(entry);
  }

  /** Schedules a ledger at this time, unless it is due earlier. */
  void noLaterThan(Address address, long at) {
    Entry known = turns.get(address);
    if (known == null || known.at() > at) {
      put(address, at);
    }
  }

  void remove(Address address) {
    Entry known = turns.remove(address);
    if (known != null) {
      inOrder.remove(known);
    }
  }

  /** Returns the time of the next ledger; empty if there is none. */
  OptionalLong next() {
    return inOrder.isEmpty() ? OptionalLong.empty() : OptionalLong.of(inOrder.first().at());
  }

  /** Returns the ledger that has been due the longest; empty if none is due. */
  Optional<Address> due(long now) {
    return inOrder.isEmpty() || inOrder.first().at() > now
        ? Optional.empty()
        : Optional.of(inOrder.first().address());
  }
}
