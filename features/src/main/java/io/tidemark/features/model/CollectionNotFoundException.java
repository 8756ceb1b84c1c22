// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Signals that a collection doesn't exist, or is deleted. */
public final class CollectionNotFoundException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public CollectionNotFoundException(String message) {
    this(message, null);
  }

  public CollectionNotFoundException(String message, @Nullable Throwable cause) {
    super(ErrorCode.COLLECTION_NOT_FOUND, message, cause);
  }
}
