// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.RecordKind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Filter of the events of a watch. Start from {@link #all()} and narrow it down.
 *
 * @param prefix prefix of {@code name:branch}; empty for all
 * @param addresses only these records; empty for all
 * @param kind only this kind
 * @param concerns moves of these; that records appear, are retracted, restored or purged is told in
 *     any case
 */
public record WatchFilter(
    String prefix, Set<Address> addresses, Optional<RecordKind> kind, Set<Concern> concerns) {

  public WatchFilter {
    addresses = Set.copyOf(addresses);
    concerns = Set.copyOf(concerns);
  }

  /** Everything. */
  public static WatchFilter all() {
    return new WatchFilter("", Set.of(), Optional.empty(), EnumSet.allOf(Concern.class));
  }

  public WatchFilter startingWith(String text) {
    return new WatchFilter(text, addresses, kind, concerns);
  }

  public WatchFilter only(Address... these) {
    return new WatchFilter(prefix, Set.of(these), kind, concerns);
  }

  public WatchFilter ofKind(RecordKind wanted) {
    return new WatchFilter(prefix, addresses, Optional.of(wanted), concerns);
  }

  public WatchFilter of(Concern... these) {
    return new WatchFilter(prefix, addresses, kind, Set.of(these));
  }

  /** Narrows an event of an unfiltered watch to this filter; empty when nothing of it matches. */
  public Optional<NameEvent> narrow(NameEvent event) {
    if (!matches(event.address())
        || !event.now().or(event::before).map(this::matches).orElse(true)) {
      return Optional.empty();
    }
    if (concerns.containsAll(event.moved())) {
      return Optional.of(event);
    }
    Set<Concern> asked = EnumSet.noneOf(Concern.class);
    asked.addAll(event.moved());
    asked.retainAll(concerns);
    boolean unasked =
        asked.isEmpty() && event.type() == NameEvent.Type.MOVED && event.before().isPresent();
    return unasked
        ? Optional.empty()
        : Optional.of(
            new NameEvent(
                event.type(),
                event.address(),
                asked,
                event.before(),
                event.now(),
                event.problem()));
  }

  /** Returns whether every address that the other matches is matched by this one. */
  boolean covers(WatchFilter other) {
    return other.addresses.isEmpty()
        ? addresses.isEmpty() && other.prefix.startsWith(prefix)
        : other.addresses.stream().allMatch(this::matches);
  }

  boolean matches(Address address) {
    return (addresses.isEmpty() || addresses.contains(address))
        && (prefix.isEmpty() || address.toString().startsWith(prefix));
  }

  boolean matches(Watermarks watermarks) {
    return kind.map(k -> k == watermarks.kind()).orElse(true);
  }
}
