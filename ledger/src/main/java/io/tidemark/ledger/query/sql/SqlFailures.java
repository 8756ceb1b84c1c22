// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.sql;

import io.tidemark.ledger.query.duckdb.QueryFailedException;
import io.tidemark.objects.TidemarkException;
import java.sql.SQLException;

/** What DuckDB said of a statement that it was given by somebody else. */
final class SqlFailures {

  private SqlFailures() {}

  /** Who is to blame is told by the first words of the message; there is nothing else to go by. */
  static TidemarkException of(SQLException e, SqlLimits limits) {
    String message = String.valueOf(e.getMessage());
    if (message.startsWith("Out of Memory") || message.contains("Java heap space")) {
      return new SqlLimitException(
          "the statement needs more than "
              + limits.memory()
              + " of memory and "
              + limits.disk()
              + " of disk; ask for less, or raise the limit");
    }
    if (message.startsWith("Permission Error")) {
      return new RefusedSqlException("the statement was refused: " + message);
    }
    boolean ours =
        message.startsWith("IO Error")
            || message.startsWith("INTERNAL Error")
            || message.startsWith("FATAL Error");
    return ours ? new QueryFailedException(e) : new InvalidSqlException(message);
  }
}
