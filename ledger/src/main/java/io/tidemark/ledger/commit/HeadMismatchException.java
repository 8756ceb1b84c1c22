// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * Thrown when other writers moved the head at each attempt, for longer than this writer retries.
 */
public final class HeadMismatchException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public HeadMismatchException(String message) {
    super(ErrorCode.HEAD_MISMATCH, message, null);
  }
}
