// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Others moved the head each time this writer wanted to, for longer than it tried. */
public final class HeadMismatchException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public HeadMismatchException(String message) {
    super(ErrorCode.HEAD_MISMATCH, message, null);
  }
}
