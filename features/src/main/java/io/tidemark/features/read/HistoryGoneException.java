// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.model.Txn;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * Signals that the requested version was dropped from the history of a collection, by its maxAge.
 */
public final class HistoryGoneException extends TidemarkException {

  private static final long serialVersionUID = 1L;

  /**
   * @param asked the version
   * @param since the first number of the day from which on all states are kept
   */
  HistoryGoneException(String collection, long asked, Txn since) {
    super(
        ErrorCode.HISTORY_GONE,
        ("the history of collection '%s' before %s (UTC) was dropped, so it isn't known any more how"
                + " it was with transaction %d; ask for that day or later ones")
            .formatted(collection, since.day(), asked),
        null);
  }
}
