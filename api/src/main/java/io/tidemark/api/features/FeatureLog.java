// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.tidemark.api.Page;
import java.util.OptionalLong;

/**
 * Log of the transactions of a storage. A transaction gets its sequence number, one more than the
 * last, when other transactions can see it.
 */
public interface FeatureLog {

  /** Returns a page of transactions. */
  Page<FeatureTransaction> list(TransactionsRequest request);

  /**
   * Returns a transaction.
   *
   * @throws io.tidemark.objects.TidemarkException with the code not-found if there is none, or it
   *     isn't kept any more
   */
  FeatureTransaction get(long txn);

  /**
   * Returns the transactions with a sequence number above one, in order, without waiting for any.
   *
   * @param after sequence number, 0 to begin; empty for none but the end of the log
   * @param limit maximum number of transactions
   * @throws io.tidemark.objects.TidemarkException with the code log-gone if the log doesn't have
   *     the next number any more, or ends before that number
   */
  FeatureChanges changes(OptionalLong after, int limit);

  /**
   * Follows the transactions that get a sequence number, in order and each once.
   *
   * @param after sequence number, 0 to begin; empty for the end of the log
   */
  FeatureTail follow(OptionalLong after);

  /** Gives sequence numbers to all transactions that have none and can be seen. */
  SequenceResult sequence();

  /**
   * Returns whether a commit took place whose answer was lost.
   *
   * @param transaction id of the transaction in PostgreSQL
   * @param began time at which it began, as it was told
   * @throws CommitOutcomeUnknownException if the database still can't tell
   */
  CommitOutcome outcome(String transaction, String began);
}
