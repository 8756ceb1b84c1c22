// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.tidemark.api.Page;
import io.tidemark.api.ResultStream;
import java.util.function.LongConsumer;

/** Commits of a branch and what they changed. */
public interface LedgerCommits {

  /** Returns the newest commit; 0 if there is none. */
  long head();

  /** Returns a page of commits, the newest first. One with conditions may be empty and not last. */
  Page<CommitSummary> list(CommitsRequest request);

  /**
   * Returns a commit.
   *
   * @throws io.tidemark.objects.TidemarkException with the code not-found if there is none
   */
  CommitSummary get(long id);

  /** Returns what a commit did, row by row. */
  ResultStream<CommitChangesHeader, RowChange> changes(long id);

  /**
   * Compares two states, of this branch or of others.
   *
   * @param progress told now and then how many rows have been read, where that is known
   */
  ResultStream<DiffSummary, RowDifference> diff(DiffRequest request, LongConsumer progress);
}
