// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Filter of the event types that a handler wants. */
public sealed interface EventTypeFilter {

  /** Returns whether the filter includes events of this type. */
  boolean includes(String type);

  /** Returns a filter that includes all events. */
  static EventTypeFilter all() {
    return All.ALL;
  }

  /** Returns a filter that includes the named types. */
  static EventTypeFilter in(String... types) {
    return new Types(Set.copyOf(List.of(types)));
  }

  /** Returns a filter that includes the events of a record class. */
  static EventTypeFilter in(Class<? extends Record> record) {
    return new Types(Set.of(EventTypes.of(record).name()));
  }

  /** Filter of {@link EventTypeFilter#all()}. */
  enum All implements EventTypeFilter {
    ALL;

    @Override
    public boolean includes(String type) {
      return true;
    }
  }

  /** Filter of {@link EventTypeFilter#in(String...)}. */
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
