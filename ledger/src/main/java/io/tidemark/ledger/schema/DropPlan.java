// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Plan of a drop.
 *
 * @param affected the types that go, each with its current schema version
 * @param head the last commit; empty before the first
 */
public record DropPlan(SortedMap<TypeId, Long> affected, History history, Optional<Long> head) {

  /** Treatment of the rows of the dropped types. */
  public enum History {
    /** The types must have no rows. */
    KEEP,
    /** The rows are removed too. */
    PURGE
  }

  public DropPlan {
    affected = Collections.unmodifiableSortedMap(new TreeMap<>(affected));
  }
}
