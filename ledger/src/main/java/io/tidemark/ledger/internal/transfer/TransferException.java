// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.FileErrors;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Exception for a file that can't be read. The ledger is as it was. */
public final class TransferException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  TransferException(String message, @Nullable Throwable cause) {
    super(ErrorCode.TRANSFER, message, cause);
  }

  /** Returns the exception for a file that can't be read. */
  public static TransferException reading(String name, IOException e) {
    return new TransferException("can't read " + name + ": " + FileErrors.reason(e), e);
  }
}
