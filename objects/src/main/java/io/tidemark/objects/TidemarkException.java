// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/**
 * What went wrong, for callers who can't be expected to handle it in line.
 *
 * <p>The message says the problem, the value and the remedy, and is fit to be shown to a user.
 * Programs branch on the type or on {@link #code()}, never on the text.
 */
public abstract class TidemarkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;

  protected TidemarkException(String code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** A short name of the kind of problem that stays the same from release to release. */
  public final String code() {
    return code;
  }
}
