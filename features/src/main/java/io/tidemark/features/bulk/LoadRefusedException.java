// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Refusal of a load that would do harm that the caller hasn't accepted. */
public final class LoadRefusedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public LoadRefusedException(String message) {
    super(ErrorCode.REFUSED, message, null);
  }
}
