// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when the outbox of a commit exceeds its limit. Nothing was written; all stays queued. */
public final class OutboxTooLargeException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  OutboxTooLargeException(int documents, long size, long limit) {
    super(
        ErrorCode.OUTBOX_TOO_LARGE,
        "the "
            + documents
            + " documents for the outbox have "
            + size
            + " bytes and one commit carries "
            + limit
            + "; put what is large where they can refer to it, commit in smaller parts, or raise"
            + " maxOutboxBytes",
        null);
  }
}
