// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * The handler has taken so long that somebody else may have the event by now. What it wanted to do
 * wasn't done.
 */
public final class LeaseExpiredException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public LeaseExpiredException(String message) {
    super(ErrorCode.LEASE_EXPIRED, message, null);
  }
}
