// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * Thrown by a handler that would fail again on a retry. The event ends as a dead letter at once,
 * with the message as the reason.
 */
public final class PermanentFailureException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public PermanentFailureException(String message) {
    super(ErrorCode.GIVE_UP, message, null);
  }
}
