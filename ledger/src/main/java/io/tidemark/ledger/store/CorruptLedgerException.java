// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when the content of a ledger's object is invalid; none of it was used. */
public final class CorruptLedgerException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public CorruptLedgerException(String message) {
    super(ErrorCode.CORRUPT, message, null);
  }
}
