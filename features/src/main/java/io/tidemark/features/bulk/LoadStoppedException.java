// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Signals that a load was stopped on request; none of its rows are stored. */
public final class LoadStoppedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public LoadStoppedException(String message) {
    super(ErrorCode.STOPPED, message, null);
  }
}
