// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/**
 * Exception for a file that can't be read as rows. The message doesn't name the file: the caller
 * that fetched it knows its name.
 */
public final class CorruptFileException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  CorruptFileException(String message) {
    this(message, null);
  }

  CorruptFileException(String message, @Nullable Throwable cause) {
    super(ErrorCode.CORRUPT, message, cause);
  }
}
