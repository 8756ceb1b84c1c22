// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;
import java.util.function.LongConsumer;

/** Branches of a ledger: created, dropped and merged. */
public interface LedgerBranches {

  /** Returns the branches of the ledger by their names. */
  List<BranchEntry> list();

  /** Makes a branch at a commit of this one. Repeating it has no effect until the branch moves. */
  BranchEntry create(BranchRequest request);

  /**
   * Drops a branch. A branch with child branches is retracted, and is dropped with the last of
   * them.
   */
  BranchDropResult drop(String branch);

  /** Finishes drops that a process left unfinished. */
  FinishDropsResult finishDrops();

  /**
   * Merges another branch into this one, or says what that would come to. A conflict is a result.
   *
   * @param progress told now and then how many rows have been compared, where that is known
   */
  MergeResult merge(MergeRequest request, LongConsumer progress);
}
