// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * Thrown when a handler has taken so long that another session may have the event by now. The
 * rejected operation had no effect.
 */
public final class LeaseExpiredException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public LeaseExpiredException(String message) {
    super(ErrorCode.LEASE_EXPIRED, message, null);
  }
}
