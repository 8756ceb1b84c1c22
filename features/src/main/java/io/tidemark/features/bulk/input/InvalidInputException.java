// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Signals an input that can't be loaded. The message contains the position and the reason. */
public final class InvalidInputException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidInputException(String message) {
    this(message, null);
  }

  public InvalidInputException(String message, @Nullable Throwable cause) {
    super(ErrorCode.INVALID_INPUT, message, cause);
  }
}
