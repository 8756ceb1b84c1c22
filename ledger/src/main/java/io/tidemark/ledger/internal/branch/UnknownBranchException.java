// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when the ledger has no such branch. */
public final class UnknownBranchException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public UnknownBranchException(String branch, String location) {
    super(
        ErrorCode.NOT_FOUND,
        "the ledger in "
            + location
            + " has no branch "
            + branch
            + "; list its branches, or make it with 'branch create'",
        null);
  }

  private UnknownBranchException(String message, Throwable cause) {
    super(ErrorCode.NOT_FOUND, message, cause);
  }

  /** Returns the exception for a branch that was dropped while it was read. */
  static UnknownBranchException dropped(BranchName branch, String location, Throwable cause) {
    return new UnknownBranchException(
        "the branch "
            + branch
            + " of the ledger in "
            + location
            + " was dropped while it was read; list its branches",
        cause);
  }
}
