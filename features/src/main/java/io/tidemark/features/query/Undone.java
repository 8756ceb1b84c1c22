// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that don't count: those that weren't to be seen when the first page was made.
 *
 * @param txns their numbers as an array; null when there are none
 * @param first none has a lower number
 */
public record Undone(@Nullable SqlText txns, long first) {

  static final Undone NONE = new Undone(null, Long.MAX_VALUE);

  /**
   * Those that are known.
   *
   * @param sorted from the lowest on
   */
  public static Undone of(List<Long> sorted) {
    return sorted.isEmpty() ? NONE : new Undone(SqlText.of("?::bigint[]", sorted), sorted.get(0));
  }

  /**
   * Those that are asked for in the same statement, for a session that sees more with each
   * statement: another one may commit between two of them.
   */
  public static Undone since(Moment moment, String schema) {
    return new Undone(
        SqlText.of("(SELECT coalesce(array_agg(late.txn), '{}') FROM (")
            .then(moment.unseen(schema))
            .then(") AS late)::bigint[]"),
        moment.firstTxn());
  }

  /** As an array, which may be empty. */
  SqlText array() {
    return txns == null ? SqlText.of("'{}'::bigint[]") : txns;
  }

  boolean none() {
    return txns == null;
  }
}
