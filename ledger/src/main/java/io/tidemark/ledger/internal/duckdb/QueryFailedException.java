// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.sql.SQLException;

/** DuckDB couldn't answer: its memory didn't suffice, its disk is full, or a file is damaged. */
public final class QueryFailedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /** The message says what DuckDB said. */
  public QueryFailedException(SQLException cause) {
    super(
        ErrorCode.QUERY_FAILED,
        "the query could not be answered: "
            + cause.getMessage()
            + "; give it more memory or room on the disk, or ask for less",
        cause);
  }
}
