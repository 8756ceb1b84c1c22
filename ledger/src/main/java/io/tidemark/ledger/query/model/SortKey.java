// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/**
 * Sort key of rows: booleans before numbers before text, and missing values last in either
 * direction. Rows that are equal in it are ordered by their identity.
 */
public record SortKey(Operand operand, Direction direction) {

  /** Direction of the order. */
  public enum Direction {
    ASCENDING,
    DESCENDING
  }

  @Override
  public String toString() {
    return operand + (direction == Direction.ASCENDING ? "" : " desc");
  }
}
