// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/** The store lacks what the request, or Tidemark as a whole, needs of it. */
public final class UnsupportedStoreException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public UnsupportedStoreException(String message) {
    this(message, null);
  }

  public UnsupportedStoreException(String message, @Nullable Throwable cause) {
    super(ErrorCode.UNSUPPORTED_STORE, message, cause);
  }
}
