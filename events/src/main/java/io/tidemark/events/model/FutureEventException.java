// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when the time of a new event is later than clock skew allows. Nothing was published. */
public final class FutureEventException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public FutureEventException(String message) {
    super(ErrorCode.EVENT_FROM_THE_FUTURE, message, null);
  }
}
