// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/**
 * The store was there before and isn't any more, such as a directory whose disk is not mounted. Its
 * objects count neither as present nor as absent. Unlike {@link StoreUnavailableException} this
 * isn't a passing fault, so the request isn't retried; a write that ends so was not applied.
 */
public final class StoreGoneException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public StoreGoneException(String message) {
    this(message, null);
  }

  public StoreGoneException(String message, @Nullable Throwable cause) {
    super(ErrorCode.UNAVAILABLE, message, cause);
  }
}
