// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/**
 * The place a store should be opened at is wrong: a bad URI, a root that is a file, no such bucket.
 */
public final class InvalidLocationException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidLocationException(String message) {
    this(message, null);
  }

  public InvalidLocationException(String message, @Nullable Throwable cause) {
    super(ErrorCode.INVALID_LOCATION, message, cause);
  }
}
