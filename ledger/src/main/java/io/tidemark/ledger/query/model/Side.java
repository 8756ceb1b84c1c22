// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

/** Owner of a field: the row itself, or the entity at one end of a relation. */
public enum Side {
  SELF(""),
  LEFT("left."),
  RIGHT("right.");

  private final String prefix;

  Side(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the prefix of a path: nothing, {@code left.} or {@code right.} */
  public String prefix() {
    return prefix;
  }
}
