// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Exception for a statement that isn't SQL, or names what isn't there. */
public final class InvalidSqlException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  InvalidSqlException(String message) {
    super(ErrorCode.INVALID_SQL, message, null);
  }
}
