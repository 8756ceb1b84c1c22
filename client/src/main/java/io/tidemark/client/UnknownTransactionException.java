// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * A server doesn't know what became of a transaction of features that it was asked for. Nothing is
 * to be done again before that is known; {@code GET /v1/transactions/outcome} asks once more.
 */
public final class UnknownTransactionException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final String transactionId;
  private final String began;

  public UnknownTransactionException(String message, String transactionId, String began) {
    super(ErrorCode.OUTCOME_UNKNOWN, message, null);
    this.transactionId = transactionId;
    this.began = began;
  }

  /** The id of the transaction in PostgreSQL, the {@code psql_id} of the log. */
  public String transactionId() {
    return transactionId;
  }

  /** When the transaction began by the clock of PostgreSQL, the {@code ts} of the log. */
  public String began() {
    return began;
  }
}
