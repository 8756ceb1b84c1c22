// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** A change of one concern, as data, so that each backend can carry it out in its own way. */
public sealed interface ConcernChange {

  /** Returns the concern that this change moves. */
  Concern concern();

  /** Where to. */
  ConcernValue next();

  /** Returns whether this change may be made when the concern is in the given state. */
  boolean allows(ConcernValue current);

  /** Compare-and-set: only from exactly the expected state, and only forward. */
  record Push(Concern concern, ConcernValue expected, ConcernValue next) implements ConcernChange {
    @Override
    public boolean allows(ConcernValue current) {
      return current.equals(expected) && movesForward(current);
    }

    /** An index may be built anew at the same {@code t}; all else must grow. */
    private boolean movesForward(ConcernValue current) {
      return concern == Concern.INDEX
          ? next.watermark() >= current.watermark()
          : next.watermark() > current.watermark();
    }
  }

  /** From whatever state, as long as it is forward. */
  record Advance(Concern concern, ConcernValue next, Bound bound) implements ConcernChange {
    @Override
    public boolean allows(ConcernValue current) {
      return bound == Bound.NEWER
          ? next.watermark() > current.watermark()
          : next.watermark() >= current.watermark();
    }
  }

  /** Rule that decides which watermarks count as forward. */
  enum Bound {
    NEWER,
    NEWER_OR_EQUAL
  }
}
