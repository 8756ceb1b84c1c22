// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a branch can't be created, dropped or merged as requested. Nothing was done. */
public final class BranchRefusedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public BranchRefusedException(String message) {
    super(ErrorCode.REFUSED, message, null);
  }
}
