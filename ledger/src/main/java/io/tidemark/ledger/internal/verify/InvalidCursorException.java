// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Exception for a text that isn't a cursor of a verification, or is one of another ledger. */
public final class InvalidCursorException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  InvalidCursorException(String text) {
    super(
        ErrorCode.INVALID_REQUEST,
        "\""
            + text
            + "\" is no cursor of a verification of this ledger; take the one that the"
            + " interrupted run printed, such as main@120",
        null);
  }
}
