// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.Row;
import java.util.Optional;
import java.util.Set;

/**
 * A row that a query found.
 *
 * @param left the entity at the left end, when ends were asked for and it exists
 * @param right the same of the right end
 */
public record MatchedRow(Row row, Optional<Row> left, Optional<Row> right) {

  /** Returns the row without the ends that aren't among these. */
  public MatchedRow withEnds(Set<Side> ends) {
    return new MatchedRow(
        row,
        left.filter(end -> ends.contains(Side.LEFT)),
        right.filter(end -> ends.contains(Side.RIGHT)));
  }
}
