// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Another writer has the ledger's lock, for longer than this one would wait. */
public final class LockContentionException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public LockContentionException(String message) {
    super(ErrorCode.LOCK_CONTENTION, message, null);
  }
}
