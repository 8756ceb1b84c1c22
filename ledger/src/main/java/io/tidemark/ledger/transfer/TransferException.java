// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.transfer;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file can't be read or written. The ledger is as it was. */
public final class TransferException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  TransferException(String message, @Nullable Throwable cause) {
    super(ErrorCode.TRANSFER, message, cause);
  }

  /** That a file can't be read. */
  public static TransferException reading(String name, IOException e) {
    return new TransferException("can't read " + name + ": " + reason(e), e);
  }

  static TransferException writing(String name, IOException e) {
    return new TransferException("can't write " + name + ": " + reason(e), e);
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file; check its name";
    }
    if (e instanceof AccessDeniedException) {
      return "access is denied; ask for it, or take another place";
    }
    if (e instanceof FileSystemException known && known.getReason() != null) {
      return known.getReason();
    }
    return Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
  }
}
