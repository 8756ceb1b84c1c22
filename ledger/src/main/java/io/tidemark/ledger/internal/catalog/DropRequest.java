// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.TypeId;
import java.util.Set;

/**
 * What is to be dropped.
 *
 * @param also relations that go with it
 * @param history what becomes of the rows
 */
public record DropRequest(TypeId target, Set<TypeId> also, Dependents dependents, History history) {

  /** What becomes of relations that have the type as an end. */
  public enum Dependents {
    /** They are named, or there must be none. */
    REFUSE,
    /** They go with it. */
    CASCADE
  }

  public DropRequest {
    also = Set.copyOf(also);
  }
}
