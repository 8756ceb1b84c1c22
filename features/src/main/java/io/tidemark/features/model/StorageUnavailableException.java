// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Signals that the database didn't answer in time, or not at all; no data was changed. */
public final class StorageUnavailableException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public StorageUnavailableException(String message) {
    this(message, null);
  }

  public StorageUnavailableException(String message, @Nullable Throwable cause) {
    super(ErrorCode.UNAVAILABLE, message, cause);
  }
}
