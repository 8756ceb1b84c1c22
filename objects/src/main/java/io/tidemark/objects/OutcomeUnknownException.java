// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/**
 * A write may or may not have been applied and reading back couldn't tell, because the object has
 * moved on since or can't be read. Look for the write's own trace before doing it again.
 */
public final class OutcomeUnknownException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message) {
    this(message, null);
  }

  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(ErrorCode.OUTCOME_UNKNOWN, message, cause);
  }
}
