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
 * When to look at each ledger. There may be many, and each event asks who is next, so they are kept
 * in order. Times are nanoseconds on a clock that never turns over.
 */
final class MaintenanceQueue {

  private record Entry(Address address, long at) {}

  private final Map<Address, Entry> turns = new HashMap<>();
  private final TreeSet<Entry> inOrder =
      new TreeSet<>(Comparator.comparingLong(Entry::at).thenComparing(Entry::address));

  /** From now on at this time, whatever was said before. */
  void put(Address address, long at) {
    remove(address);
    Entry entry = new Entry(address, at);
    turns.put(address, entry);
    inOrder.add(entry);
  }

  /** At this time, unless it has its turn earlier. */
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

  /** When the next has its turn; empty when there is none. */
  OptionalLong next() {
    return inOrder.isEmpty() ? OptionalLong.empty() : OptionalLong.of(inOrder.first().at());
  }

  /** Whose turn it is by now, and has been the longest. */
  Optional<Address> due(long now) {
    return inOrder.isEmpty() || inOrder.first().at() > now
        ? Optional.empty()
        : Optional.of(inOrder.first().address());
  }
}
