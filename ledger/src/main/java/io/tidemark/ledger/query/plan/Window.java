// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

/**
 * Range of row versions that a query reads, once the head is pinned.
 *
 * @param lowerExclusive commit up to which versions are left out
 * @param upper commit after which versions are left out; 0 when there are none at all
 */
public record Window(long lowerExclusive, long upper, Shape shape) {

  /** Shape of the result for several versions of an identity. */
  public enum Shape {
    /** The last one is the row. */
    STATE,
    /** Each is a row. */
    HISTORY
  }

  /** Returns whether the window is certain to be empty. */
  public boolean isEmpty() {
    return upper <= lowerExclusive;
  }

  /** Returns the state that this window ends with. */
  public Window state() {
    return new Window(0, upper, Shape.STATE);
  }
}
