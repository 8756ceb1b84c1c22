// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** There is no ledger in the place that was named. Nothing has been written. */
public final class UninitializedLedgerException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private UninitializedLedgerException(String message) {
    super(ErrorCode.UNINITIALIZED, message, null);
  }

  /** Returns the exception for a place that was said to have a ledger. */
  public static UninitializedLedgerException notAdoptable(LedgerObjects objects) {
    return new UninitializedLedgerException(
        "there is no ledger in "
            + objects.location()
            + ": "
            + Layout.HEAD
            + " is missing there; check the location, which ends where the ledger's 'meta/' and"
            + " 'commits/' begin, or make a ledger with 'ledger init'");
  }

  /** Returns the exception for a ledger or a branch that there isn't. */
  public static UninitializedLedgerException at(LedgerObjects objects) {
    return new UninitializedLedgerException(
        objects.branch().isMain()
            ? "there is no ledger in " + objects.location() + "; initialise it first"
            : "there is no branch "
                + objects.branch()
                + " in "
                + objects.location()
                + "; make it with 'branch create', also again if that didn't come to its end");
  }
}
