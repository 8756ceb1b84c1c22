// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.TidemarkException;

/** More is to be committed at once than is allowed. Nothing was written; all is still queued. */
public final class BatchSizeExceededException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public BatchSizeExceededException(long size, long limit) {
    super(
        "batch-size-exceeded",
        size
            + " assertions are queued and one commit takes "
            + limit
            + "; commit in smaller parts, or raise maxBatchSize",
        null);
  }
}
