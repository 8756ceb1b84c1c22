// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Thrown when a migration can't be made as requested. Nothing was changed. */
public final class MigrationException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public MigrationException(String message) {
    this(message, null);
  }

  public MigrationException(String message, @Nullable Throwable cause) {
    super(ErrorCode.MIGRATION, message, cause);
  }
}
