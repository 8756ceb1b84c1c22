// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.sql.SQLException;

/**
 * Thrown when DuckDB couldn't answer: its memory was too small, its disk is full, or a file is
 * damaged.
 */
public final class QueryFailedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with DuckDB's message. */
  public QueryFailedException(SQLException cause) {
    super(
        ErrorCode.QUERY_FAILED,
        "the query could not be answered: "
            + cause.getMessage()
            + "; give it more memory or room on the disk, or ask for less",
        cause);
  }
}
