// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** A remote can't be called so, or can't be there. */
public final class InvalidRemoteException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidRemoteException(String message) {
    super(ErrorCode.INVALID_NAME, message, null);
  }
}
