// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when there is no ledger at a location. Nothing has been written. */
public final class UninitializedLedgerException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private UninitializedLedgerException(String message) {
    super(ErrorCode.UNINITIALIZED, message, null);
  }

  /** Returns the exception for a location that was declared to have a ledger. */
  public static UninitializedLedgerException notAdoptable(String location) {
    return new UninitializedLedgerException(
        "there is no ledger in "
            + location
            + ": meta/head.json is missing there; check the location, which ends where the ledger's"
            + " 'meta/' and 'commits/' begin, or make a ledger with 'ledger init'");
  }

  /** Returns the exception for a missing branch; for main, it says that there is no ledger. */
  public static UninitializedLedgerException of(BranchName branch, String location) {
    return new UninitializedLedgerException(
        branch.isMain()
            ? "there is no ledger in " + location + "; initialise it first"
            : "there is no branch "
                + branch
                + " in "
                + location
                + "; make it with 'branch create', also again if that didn't come to its end");
  }
}
