// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.tidemark.api.Cancellation;
import java.util.function.LongConsumer;

/**
 * Services of one branch of a ledger, grouped by task. A ledger that doesn't exist fails at the
 * first operation. Operations of one instance may be called by any number of threads.
 */
public interface LedgerService {

  /** Returns the ledger with operations that end when this is cancelled. */
  LedgerService withCancellation(Cancellation cancellation);

  /** Returns where the ledger is and whether its indices and its name have followed. */
  LedgerSummary info(InfoRequest request);

  /**
   * Makes rows true, in one commit. Rows that don't exist are inserted, rows that differ get a new
   * version, all other rows stay as they are.
   *
   * @param progress told now and then how many rows have been read, where that is known
   * @throws UnexpectedHeadException if another commit than the expected one is the newest
   */
  CommitResult commit(CommitRequest request, LongConsumer progress);

  /** Returns the operations that query rows. */
  LedgerQueries queries();

  /** Returns the operations on commits and what they changed. */
  LedgerCommits commits();

  /** Returns the operations on types and their schemas. */
  LedgerTypes types();

  /** Returns the operations on branches. */
  LedgerBranches branches();

  /** Returns exports and imports. */
  LedgerTransfer transfer();

  /** Returns the operations that keep a ledger in order. */
  LedgerMaintenance maintenance();
}
