// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown for an invalid name of a namespace, handler, session, event or type. */
public final class InvalidNameException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidNameException(String message) {
    super(ErrorCode.INVALID_NAME, message, null);
  }
}
