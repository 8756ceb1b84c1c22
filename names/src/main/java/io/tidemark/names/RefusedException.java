// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** The operation would do harm that it wasn't told to accept; nothing was changed. */
public final class RefusedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    this(message, null);
  }

  public RefusedException(String message, @Nullable Throwable cause) {
    super(ErrorCode.REFUSED, message, cause);
  }
}
