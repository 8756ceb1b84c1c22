// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import java.util.function.Supplier;

/**
 * Condition on which assertions become a commit. It is evaluated on the very base of the commit,
 * and anew, from {@link #start} on, when another writer was faster: so it holds for the state right
 * before the commit.
 */
public interface CommitCondition {

  /** Comparison of an assertion with the stored row. */
  enum RowMatch {
    /** Its identity doesn't exist. */
    ABSENT,
    /** Its identity exists with the same payload. */
    EQUAL,
    /** Its identity exists with another payload. */
    DIFFERENT
  }

  /** Starts the evaluation on this base, and discards earlier results. */
  void start(PinnedHead pinnedHead);

  /**
   * Returns whether an assertion is to be made true; one that is {@link RowMatch#EQUAL} is already.
   *
   * @param identity identity of the row, created when asked for
   */
  boolean admits(TypeId type, Supplier<Identity> identity, RowMatch rowMatch);

  /** Returns whether there may be a commit, after all assertions have been evaluated. */
  boolean isMet();

  /**
   * Ends the evaluation: there was a commit, or nothing to change, or the condition didn't hold.
   */
  void finish();

  /** Returns the condition that admits every assertion. */
  static CommitCondition none() {
    return new CommitCondition() {
      @Override
      public void start(PinnedHead pinnedHead) {}

      @Override
      public boolean admits(TypeId type, Supplier<Identity> identity, RowMatch rowMatch) {
        return true;
      }

      @Override
      public boolean isMet() {
        return true;
      }

      @Override
      public void finish() {}
    };
  }
}
