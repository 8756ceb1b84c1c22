// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** The database isn't one that features can be kept in, or not by this release. */
public final class StorageUnusableException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public StorageUnusableException(String message) {
    this(message, null);
  }

  public StorageUnusableException(String message, @Nullable Throwable cause) {
    super(ErrorCode.STORAGE_UNUSABLE, message, cause);
  }
}
