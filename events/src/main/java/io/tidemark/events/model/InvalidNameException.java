// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** A namespace, handler, session, event or type has a name that it can't have. */
public final class InvalidNameException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidNameException(String message) {
    super(ErrorCode.INVALID_NAME, message, null);
  }
}
