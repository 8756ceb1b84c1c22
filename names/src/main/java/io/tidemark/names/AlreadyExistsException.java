// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** There is a record with that address already, retracted or not. */
public final class AlreadyExistsException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public AlreadyExistsException(String message) {
    this(message, null);
  }

  public AlreadyExistsException(String message, @Nullable Throwable cause) {
    super(ErrorCode.ALREADY_EXISTS, message, cause);
  }
}
