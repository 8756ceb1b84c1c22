// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when there is neither an event with the given id nor a dead letter of it. */
public final class UnknownEventException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public UnknownEventException(String message) {
    super(ErrorCode.UNKNOWN_EVENT, message, null);
  }
}
