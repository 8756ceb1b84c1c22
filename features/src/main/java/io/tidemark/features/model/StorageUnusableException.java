// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Signals that the database can't store features, or not with this release. */
public final class StorageUnusableException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public StorageUnusableException(String message) {
    this(message, null);
  }

  public StorageUnusableException(String message, @Nullable Throwable cause) {
    super(ErrorCode.STORAGE_UNUSABLE, message, cause);
  }
}
