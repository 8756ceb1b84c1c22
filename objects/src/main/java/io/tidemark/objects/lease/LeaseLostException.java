// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.lease;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** The lease has run out, is about to, or belongs to another; the work must not be completed. */
public final class LeaseLostException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public LeaseLostException(String message) {
    super(ErrorCode.LEASE_LOST, message, null);
  }
}
