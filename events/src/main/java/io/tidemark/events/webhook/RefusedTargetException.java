// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when the policy doesn't allow an address. Nothing was sent. */
public final class RefusedTargetException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public RefusedTargetException(String message) {
    super(ErrorCode.REFUSED_TARGET, message, null);
  }
}
