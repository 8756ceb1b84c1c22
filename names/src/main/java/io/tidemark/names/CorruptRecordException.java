// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** What is stored of a record can't be understood; it is left as it is. */
public final class CorruptRecordException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public CorruptRecordException(String message) {
    this(message, null);
  }

  public CorruptRecordException(String message, @Nullable Throwable cause) {
    super(ErrorCode.CORRUPT, message, cause);
  }
}
