// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when there is no commit of that id. */
public final class UnknownCommitException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public UnknownCommitException(long id, long newest) {
    super(
        ErrorCode.NOT_FOUND,
        "there is no commit "
            + id
            + "; "
            + (newest == 0 ? "the ledger has none yet" : "take one from 1 to " + newest),
        null);
  }
}
