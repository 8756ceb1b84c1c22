// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.state.PinnedHead;
import java.util.Optional;

/** Proposal of a change, which is drafted on whatever base the ledger has by then. */
@FunctionalInterface
public interface Proposal {

  /**
   * Drafts the change on this base; empty when it holds already. Called again with another base
   * when another writer has been faster.
   */
  Optional<Draft> draft(PinnedHead pinnedHead);

  /**
   * Called while another writer holds the lock, with the commits so far: data that is read now
   * needn't be read while the lock is ours and all other writers wait.
   */
  default void catchUp(PinnedHead pinnedHead) {}

  /**
   * Called under the lock, right before the head is replaced. Fails when something that the head
   * doesn't cover has changed since the draft was made.
   */
  default void confirm() {}
}
