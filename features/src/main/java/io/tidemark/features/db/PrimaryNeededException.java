// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * Signals that a replica can't answer what the primary can. Callers see it only when the server
 * that they gave as the primary follows another one itself.
 */
public final class PrimaryNeededException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public PrimaryNeededException(String message) {
    super(ErrorCode.UNAVAILABLE, message, null);
  }
}
