// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * Thrown when the payload of a new event isn't a JSON object, or is too large. Nothing was
 * published.
 */
public final class InvalidEventPayloadException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidEventPayloadException(String message) {
    super(ErrorCode.INVALID_PAYLOAD, message, null);
  }
}
