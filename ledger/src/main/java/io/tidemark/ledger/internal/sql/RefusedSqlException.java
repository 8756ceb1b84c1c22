// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** A statement would do something else than look at the ledger. It wasn't run. */
public final class RefusedSqlException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  RefusedSqlException(String message) {
    super(ErrorCode.REFUSED_SQL, message, null);
  }
}
