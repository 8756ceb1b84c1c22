// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/**
 * Failure that callers can't be expected to handle in line.
 *
 * <p>The message says the problem, the value and the remedy, and is fit to be shown to a user.
 * Programs branch on the type, on {@link #kind()} or on {@link #code()}, never on the text. Only
 * what callers catch by its type has a class of its own.
 */
public class TidemarkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final ErrorKind kind;

  public TidemarkException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public TidemarkException(ErrorCode code, String message, @Nullable Throwable cause) {
    this(code.text(), code.kind(), message, cause);
  }

  /**
   * Creates an exception with the code of another one, which may come from a newer version and be
   * missing from {@link ErrorCode}.
   */
  protected TidemarkException(
      String code, ErrorKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.kind = kind;
  }

  /** Returns the code of the error, the same from release to release. */
  public final String code() {
    return code;
  }

  public final ErrorKind kind() {
    return kind;
  }

  /** Returns the exit code of a command that ends with this error. */
  public final int exitCode() {
    return ErrorCode.of(code).map(ErrorCode::exitCode).orElse(kind.exitCode());
  }
}
