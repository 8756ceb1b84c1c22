// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a drop would remove more than was requested. Nothing was done. */
public final class RefusedDropException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public RefusedDropException(String message) {
    super(ErrorCode.REFUSED_DROP, message, null);
  }
}
