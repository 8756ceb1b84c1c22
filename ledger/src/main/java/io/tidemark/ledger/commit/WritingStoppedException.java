// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when the process was told to end, and makes no further commit. */
public final class WritingStoppedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public WritingStoppedException(String location) {
    super(
        ErrorCode.STOPPED,
        "writing to the ledger in "
            + location
            + " was stopped; commits that were made stay, and nothing else was written: run it"
            + " again to do the rest",
        null);
  }
}
