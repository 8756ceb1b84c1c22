// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a commit would exceed the maximum batch size. Nothing was written. */
public final class BatchSizeExceededException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception for a session, whose assertions all stay queued. */
  public BatchSizeExceededException(long size, long limit) {
    super(
        ErrorCode.BATCH_SIZE_EXCEEDED,
        size
            + " assertions are queued and one commit takes "
            + limit
            + "; commit in smaller parts, or raise maxBatchSize",
        null);
  }

  /**
   * Creates the exception for rows of which no more than the limit were read.
   *
   * @param from the input that holds the rows
   * @param remedy what the caller can do
   */
  public BatchSizeExceededException(String from, long limit, String remedy) {
    super(
        ErrorCode.BATCH_SIZE_EXCEEDED,
        from + " has more rows than " + limit + ", which one commit takes; " + remedy,
        null);
  }
}
