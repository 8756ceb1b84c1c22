// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a drop is to remove.
 *
 * @param affected the types that go, each with its current schema version
 * @param head the last commit; empty before the first
 */
public record DropPlan(SortedMap<TypeId, Long> affected, History history, Optional<Long> head) {

  /** What becomes of the rows of the types that go. */
  public enum History {
    /** There must be none. */
    KEEP,
    /** They go too. */
    PURGE
  }

  public DropPlan {
    affected = Collections.unmodifiableSortedMap(new TreeMap<>(affected));
  }
}
