// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.schedule;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a text isn't a valid cron schedule. */
public final class InvalidCronException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidCronException(String message) {
    super(ErrorCode.INVALID_CRON, message, null);
  }
}
