// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a value doesn't fit its type. Nothing has been queued or changed. */
public final class InvalidValueException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidValueException(String message) {
    super(ErrorCode.INVALID_VALUE, message, null);
  }
}
