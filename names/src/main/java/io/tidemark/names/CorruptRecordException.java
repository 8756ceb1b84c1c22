// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Thrown when the stored form of a record can't be parsed. The stored form is left as it is. */
public final class CorruptRecordException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public CorruptRecordException(String message) {
    this(message, null);
  }

  public CorruptRecordException(String message, @Nullable Throwable cause) {
    super(ErrorCode.CORRUPT, message, cause);
  }
}
