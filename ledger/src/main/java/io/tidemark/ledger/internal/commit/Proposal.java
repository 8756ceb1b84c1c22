// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.state.PinnedHead;
import java.util.Optional;

/** A change that somebody wants, whatever the ledger looks like by then. */
@FunctionalInterface
public interface Proposal {

  /**
   * What to commit on top of this base; empty when it holds already. Called again with another base
   * when somebody else has been faster.
   */
  Optional<Draft> draft(PinnedHead pinnedHead);

  /**
   * Called while another has the lock, with what is committed by then: whatever is read now needn't
   * be read when the lock is ours and all others wait.
   */
  default void catchUp(PinnedHead pinnedHead) {}

  /**
   * Called under the lock, right before the head is replaced: fails when something that the head
   * doesn't vouch for isn't any more as it was when the draft was made.
   */
  default void confirm() {}
}
