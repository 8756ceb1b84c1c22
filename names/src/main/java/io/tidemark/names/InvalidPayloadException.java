// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** A payload or watermark that can't be taken; nothing was changed. */
public final class InvalidPayloadException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidPayloadException(String message) {
    this(message, null);
  }

  public InvalidPayloadException(String message, @Nullable Throwable cause) {
    super(ErrorCode.INVALID_PAYLOAD, message, cause);
  }
}
