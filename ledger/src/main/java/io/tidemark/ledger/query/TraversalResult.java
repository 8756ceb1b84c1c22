// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Relations and entities that a traversal reached from a row.
 *
 * @param steps relations that lead from the row; may be empty
 */
public record TraversalResult<T>(ResultRow<T> source, List<Step> steps) {
  public TraversalResult {
    steps = List.copyOf(steps);
  }

  /**
   * Relation, and the steps from the entity that it leads to.
   *
   * @param far the entity at its other end; empty when that doesn't exist
   */
  public record Step(ResultRow<ObjectNode> relation, Optional<RelationEnd> far, List<Step> next) {
    public Step {
      next = List.copyOf(next);
    }
  }

  /** Returns the reached entities, without the relations, each hop's before the next one's. */
  public List<RelationEnd> reached() {
    List<RelationEnd> ends = new ArrayList<>();
    List<Step> hop = steps;
    while (!hop.isEmpty()) {
      List<Step> next = new ArrayList<>();
      for (Step step : hop) {
        step.far().ifPresent(ends::add);
        next.addAll(step.next());
      }
      hop = next;
    }
    return ends;
  }
}
