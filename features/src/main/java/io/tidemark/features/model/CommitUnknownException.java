// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * Signals that the connection broke during a commit, and the outcome couldn't be determined in
 * time. The transaction must not be repeated before it is known; {@code Features.wasCommitted} asks
 * once more.
 */
public final class CommitUnknownException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final String storageId;
  private final String transactionId;
  private final String began;

  /**
   * @param storageId the storage that was written to
   * @param transactionId the id of the transaction in PostgreSQL, the {@code psql_id} of the log
   * @param began when it began in PostgreSQL's words, the {@code ts} of the log
   */
  public CommitUnknownException(
      String message, String storageId, String transactionId, String began, Throwable cause) {
    super(ErrorCode.OUTCOME_UNKNOWN, message, cause);
    this.storageId = storageId;
    this.transactionId = transactionId;
    this.began = began;
  }

  /** Returns the id of the storage that was written to; no other knows the outcome. */
  public String storageId() {
    return storageId;
  }

  /** Returns the id of the transaction in PostgreSQL, the {@code psql_id} of the log. */
  public String transactionId() {
    return transactionId;
  }

  /** Returns when the transaction began by the server's clock, the {@code ts} of the log. */
  public String began() {
    return began;
  }
}
