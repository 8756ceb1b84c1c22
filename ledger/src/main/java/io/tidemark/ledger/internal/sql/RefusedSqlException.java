// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Exception for a statement that would do more than read the ledger. It wasn't run. */
public final class RefusedSqlException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  RefusedSqlException(String message) {
    super(ErrorCode.REFUSED_SQL, message, null);
  }
}
