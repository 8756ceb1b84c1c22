// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/** The store may not be read or written as asked: permissions, credentials, a read-only medium. */
public final class StoreAccessException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public StoreAccessException(String message) {
    this(message, null);
  }

  public StoreAccessException(String message, @Nullable Throwable cause) {
    super(ErrorCode.ACCESS_DENIED, message, cause);
  }
}
