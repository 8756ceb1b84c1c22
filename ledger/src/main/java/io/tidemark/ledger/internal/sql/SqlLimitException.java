// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** A statement wanted more time, memory, disk or rows than it may have, and was ended. */
public final class SqlLimitException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  SqlLimitException(String message) {
    super(ErrorCode.SQL_LIMIT, message, null);
  }
}
