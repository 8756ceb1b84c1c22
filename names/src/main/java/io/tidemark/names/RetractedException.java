// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** The record was taken back and can't be changed until it is restored. */
public final class RetractedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public RetractedException(String message) {
    this(message, null);
  }

  public RetractedException(String message, @Nullable Throwable cause) {
    super(ErrorCode.RETRACTED, message, cause);
  }
}
