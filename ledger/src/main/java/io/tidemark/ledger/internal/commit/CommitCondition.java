// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import java.util.function.Supplier;

/**
 * On what terms assertions become a commit. They are asked on the very base that the commit is made
 * on, and anew, from {@link #start} on, when another writer was faster: so what they found to be
 * true is true of the state right before the commit.
 *
 * <p>Called by one thread at a time.
 */
public interface CommitCondition {

  /** How an assertion compares with what is there. */
  enum RowMatch {
    /** Its identity isn't there. */
    ABSENT,
    /** Its identity is there with the same payload. */
    EQUAL,
    /** Its identity is there with another payload. */
    DIFFERENT
  }

  /** From now on it is about this base; what was found before counts no more. */
  void start(PinnedHead pinnedHead);

  /**
   * Whether an assertion is to be made true; one that is {@link RowMatch#EQUAL} is already.
   *
   * @param identity of what it is, made when asked for
   */
  boolean admits(TypeId type, Supplier<Identity> identity, RowMatch rowMatch);

  /** Whether there may be a commit, after all assertions have been looked at. */
  boolean isMet();

  /** What was asked about is done: there was a commit, or nothing to change, or it didn't hold. */
  void finish();

  /** Everything that is asserted becomes true. */
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
