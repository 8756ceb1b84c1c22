// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.watch.Watermarks.ConcernWatermark;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Local copy of some records at a client, kept up to date from the events of a watch at the least
 * cost: only concerns that moved are fetched, and only those it wants. Not safe for threads.
 */
public final class LocalCopy {

  private final NameService names;
  private final Set<Concern> wanted;
  private final Map<Address, Map<Concern, ConcernValue>> values = new HashMap<>();

  /**
   * Creates an empty copy.
   *
   * @param wanted the concerns to hold
   */
  public LocalCopy(NameService names, Set<Concern> wanted) {
    this.names = names;
    this.wanted = Set.copyOf(wanted);
  }

  /** Returns a value as it was last fetched; empty when there is none. */
  public Optional<ConcernValue> get(Address address, Concern concern) {
    return Optional.ofNullable(values.getOrDefault(address, Map.of()).get(concern));
  }

  /**
   * Takes in an event.
   *
   * @return the concerns that were fetched
   */
  public Set<Concern> apply(NameEvent event) {
    Set<Concern> fetched = EnumSet.noneOf(Concern.class);
    if (event.type() == NameEvent.Type.PURGED) {
      values.remove(event.address());
      return fetched;
    }
    for (Concern concern : event.moved()) {
      if (wanted.contains(concern) && isOlder(event, concern)) {
        fetch(event.address(), concern);
        fetched.add(concern);
      }
    }
    return fetched;
  }

  /** The last fetch may have seen this move already. */
  private boolean isOlder(NameEvent event, Concern concern) {
    Optional<ConcernValue> held = get(event.address(), concern);
    Optional<ConcernWatermark> told = event.now().map(watermarks -> watermarks.of(concern));
    return held.isEmpty() || told.isEmpty() || !told.get().isOf(held.get());
  }

  private void fetch(Address address, Concern concern) {
    Map<Concern, ConcernValue> held =
        values.computeIfAbsent(address, a -> new EnumMap<>(Concern.class));
    names
        .get(address, concern)
        .ifPresentOrElse(value -> held.put(concern, value), () -> held.remove(concern));
  }
}
