// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which events a handler wants. */
public sealed interface EventTypeFilter {

  /** Whether it wants events of this type. */
  boolean includes(String type);

  /** All events. */
  static EventTypeFilter all() {
    return All.ALL;
  }

  /** Those of the types named. */
  static EventTypeFilter in(String... types) {
    return new Types(Set.copyOf(List.of(types)));
  }

  /** Those that are such records. */
  static EventTypeFilter in(Class<? extends Record> record) {
    return new Types(Set.of(EventTypes.of(record).name()));
  }

  /** See {@link EventTypeFilter#all()}. */
  enum All implements EventTypeFilter {
    ALL;

    @Override
    public boolean includes(String type) {
      return true;
    }
  }

  /** See {@link EventTypeFilter#in(String...)}. */
  record Types(Set<String> types) implements EventTypeFilter {
    public Types {
      if (types.isEmpty()) {
        throw new IllegalArgumentException("an interest in no type at all; name one");
      }
      types.forEach(NameValidator::type);
      types = Collections.unmodifiableSortedSet(new TreeSet<>(types));
    }

    @Override
    public boolean includes(String type) {
      return types.contains(type);
    }
  }
}
