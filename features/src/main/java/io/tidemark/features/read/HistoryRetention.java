// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.Txn;

/**
 * Retention of the history of collections. Without dropped days, features would seem not to have
 * existed; so reads that need such days are refused.
 *
 * @param session where to look
 */
public record HistoryRetention(SqlSession session) {

  /**
   * Makes sure that all states of a version are kept. The history must be held already; see {@link
   * #lockVersion}.
   *
   * @throws HistoryGoneException if some may have been dropped
   */
  void requireVersion(String collection, long version) {
    long since = session.queryLong("SELECT %s.naksha_history_since(?)", collection);
    // The number before the first of a day is that of a moment before anything was done.
    if (version < since - 1) {
      throw new HistoryGoneException(collection, version, new Txn(since));
    }
  }

  /**
   * Checks that the history has a version, and locks the history until the transaction ends.
   *
   * @throws HistoryGoneException if some may have been dropped
   */
  public void lockVersion(String collection, long version) {
    session.call("SELECT %s.naksha_history_hold(?)", collection);
    requireVersion(collection, version);
  }
}
