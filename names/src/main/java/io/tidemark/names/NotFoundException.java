// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** There is no record with that address. */
public final class NotFoundException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public NotFoundException(String message) {
    this(message, null);
  }

  public NotFoundException(String message, @Nullable Throwable cause) {
    super(ErrorCode.NOT_FOUND, message, cause);
  }
}
