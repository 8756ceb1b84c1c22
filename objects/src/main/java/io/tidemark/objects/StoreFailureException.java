// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/** The store failed in a way that trying again won't mend; nothing was written. */
public final class StoreFailureException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public StoreFailureException(String message) {
    this(message, null);
  }

  public StoreFailureException(String message, @Nullable Throwable cause) {
    super(ErrorCode.STORAGE_FAILURE, message, cause);
  }
}
