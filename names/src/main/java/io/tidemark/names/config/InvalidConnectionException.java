// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** A connection document can't be meant as it is; the message says which node and which field. */
public final class InvalidConnectionException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidConnectionException(String message) {
    this(message, null);
  }

  public InvalidConnectionException(String message, @Nullable Throwable cause) {
    super(ErrorCode.INVALID_CONNECTION, message, cause);
  }
}
