// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached or refused for the moment. A write that ends so was not applied;
 * the same request may work later.
 */
public final class StoreUnavailableException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message) {
    this(message, null);
  }

  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(ErrorCode.UNAVAILABLE, message, cause);
  }
}
