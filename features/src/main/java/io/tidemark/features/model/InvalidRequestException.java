// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Signals a request that can't be fulfilled as it was made; no data was changed. */
public final class InvalidRequestException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidRequestException(String message) {
    this(message, null);
  }

  public InvalidRequestException(String message, @Nullable Throwable cause) {
    super(ErrorCode.INVALID_REQUEST, message, cause);
  }
}
