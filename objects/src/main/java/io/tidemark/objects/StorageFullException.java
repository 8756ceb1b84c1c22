// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/** The medium has no room left; nothing was written. */
public final class StorageFullException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public StorageFullException(String message) {
    this(message, null);
  }

  public StorageFullException(String message, @Nullable Throwable cause) {
    super(ErrorCode.STORAGE_FULL, message, cause);
  }
}
