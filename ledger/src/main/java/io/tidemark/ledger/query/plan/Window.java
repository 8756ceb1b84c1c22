// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

/**
 * Which versions of rows are looked at, once the head is pinned.
 *
 * @param lowerExclusive versions up to this commit aren't
 * @param upper nor are those after this one; 0 when there are none at all
 */
public record Window(long lowerExclusive, long upper, Shape shape) {

  /** What is made of several versions of an identity. */
  public enum Shape {
    /** The last one is the row. */
    STATE,
    /** Each is a row. */
    HISTORY
  }

  /** Whether nothing can be in it. */
  public boolean isEmpty() {
    return upper <= lowerExclusive;
  }

  /** The state that this window ends with. */
  public Window state() {
    return new Window(0, upper, Shape.STATE);
  }
}
