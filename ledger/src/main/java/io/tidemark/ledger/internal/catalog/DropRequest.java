// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.TypeId;
import java.util.Set;

/**
 * Request to drop a type.
 *
 * @param also relations to drop with it
 * @param history treatment of the rows
 */
public record DropRequest(TypeId target, Set<TypeId> also, Dependents dependents, History history) {

  /** Treatment of relations that have the type as an end. */
  public enum Dependents {
    /** They have to be named in the request, or the drop is refused. */
    REFUSE,
    /** They are dropped with it. */
    CASCADE
  }

  public DropRequest {
    also = Set.copyOf(also);
  }
}
