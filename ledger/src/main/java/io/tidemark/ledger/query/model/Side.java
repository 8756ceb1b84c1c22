// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/** Whose field is meant: the row's own, or that of the entity at one end of a relation. */
public enum Side {
  SELF(""),
  LEFT("left."),
  RIGHT("right.");

  private final String prefix;

  Side(String prefix) {
    this.prefix = prefix;
  }

  /** What is written before a path: nothing, {@code left.} or {@code right.} */
  public String prefix() {
    return prefix;
  }
}
