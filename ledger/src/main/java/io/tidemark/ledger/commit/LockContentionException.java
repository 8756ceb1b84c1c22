// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when another writer holds the ledger's lock for longer than this one waits. */
public final class LockContentionException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public LockContentionException(String message) {
    super(ErrorCode.LOCK_CONTENTION, message, null);
  }
}
