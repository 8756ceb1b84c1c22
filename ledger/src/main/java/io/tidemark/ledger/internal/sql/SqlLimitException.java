// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Exception for a statement that exceeded its time, memory, disk or rows, and was ended. */
public final class SqlLimitException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  SqlLimitException(String message) {
    super(ErrorCode.SQL_LIMIT, message, null);
  }

  static SqlLimitException rows(SqlLimits limits) {
    return new SqlLimitException(
        "the statement answers with more than "
            + limits.rows()
            + " rows; add a LIMIT, or raise the limit on rows");
  }

  static SqlLimitException file(SqlLimits limits) {
    return new SqlLimitException(
        "the answer needs a file of more than "
            + limits.file()
            + "; select fewer rows or columns, or ask for parts of it one after the other");
  }
}
