// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/**
 * What rows are ordered by: booleans before numbers before text, and what has no value last in
 * either direction. Rows that are equal in it are ordered by their identity.
 */
public record SortKey(Operand operand, Direction direction) {

  /** Which end comes first. */
  public enum Direction {
    ASCENDING,
    DESCENDING
  }

  @Override
  public String toString() {
    return operand + (direction == Direction.ASCENDING ? "" : " desc");
  }
}
