// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import io.tidemark.features.bulk.input.FileTrouble;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A file that can't be written. */
public final class ExportException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private ExportException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  static ExportException there(Object file, @Nullable Throwable cause) {
    return new ExportException(
        ErrorCode.ALREADY_EXISTS,
        "%s is there already; choose another name, or have it replaced".formatted(file),
        cause);
  }

  /** It can't be written. */
  public static ExportException failed(Object file, Throwable cause) {
    return new ExportException(
        ErrorCode.STORAGE_FAILURE,
        "%s can't be written: %s; nothing of it is there".formatted(file, why(cause)),
        cause);
  }

  private static String why(Throwable cause) {
    Throwable within = cause instanceof UncheckedIOException ? cause.getCause() : cause;
    return within instanceof IOException trouble
        ? FileTrouble.words(trouble)
        : String.valueOf(cause.getMessage());
  }
}
