// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that don't count, because they were invisible when the first page was made.
 *
 * @param txns their numbers as an array; null when there are none
 * @param first none has a lower number
 */
public record ExcludedTransactions(@Nullable SqlFragment txns, long first) {

  static final ExcludedTransactions NONE = new ExcludedTransactions(null, Long.MAX_VALUE);

  /**
   * Returns the given transactions.
   *
   * @param sorted from the lowest on
   */
  public static ExcludedTransactions of(List<Long> sorted) {
    return sorted.isEmpty()
        ? NONE
        : new ExcludedTransactions(SqlFragment.of("?::bigint[]", sorted), sorted.get(0));
  }

  /**
   * Returns the transactions by a subquery of the same statement, for a session that sees more with
   * each statement: another transaction may commit between two of them.
   */
  public static ExcludedTransactions since(PageSnapshot pageSnapshot, String schema) {
    return new ExcludedTransactions(
        SqlFragment.of("(SELECT coalesce(array_agg(late.txn), '{}') FROM (")
            .then(pageSnapshot.invisibleTransactionsSql(schema))
            .then(") AS late)::bigint[]"),
        pageSnapshot.firstTxn());
  }

  /** Returns the numbers as an array, which may be empty. */
  SqlFragment array() {
    return txns == null ? SqlFragment.of("'{}'::bigint[]") : txns;
  }

  boolean isEmpty() {
    return txns == null;
  }
}
