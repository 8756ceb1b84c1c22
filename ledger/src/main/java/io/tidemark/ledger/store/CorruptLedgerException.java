// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** An object of a ledger doesn't say what it must; nothing was made of it. */
public final class CorruptLedgerException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public CorruptLedgerException(String message) {
    super(ErrorCode.CORRUPT, message, null);
  }
}
