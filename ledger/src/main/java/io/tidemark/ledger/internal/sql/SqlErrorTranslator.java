// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.ledger.internal.duckdb.QueryFailedException;
import io.tidemark.objects.TidemarkException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Translator of DuckDB's errors about untrusted statements. */
final class SqlErrorTranslator {

  /** A line that advises a setting, or the end of a sentence that does. */
  private static final Pattern ADVICE =
      Pattern.compile("(?m)^(\\* |Use )\"?SET [a-z_]+ ?(=|TO).*\\n?|, or SET [a-z_]+ ?=[^.\\n]*");

  private SqlErrorTranslator() {}

  /** Tells causes apart by the first words of the message; there is nothing else to go by. */
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
    Optional<String> tooDeep = tooDeep(message);
    if (tooDeep.isPresent()) {
      return new InvalidSqlException(tooDeep.get());
    }
    boolean ours =
        message.startsWith("IO Error")
            || message.startsWith("INTERNAL Error")
            || message.startsWith("FATAL Error");
    return ours ? new QueryFailedException(e) : new InvalidSqlException(withoutSettings(message));
  }

  /** Returns how to write a statement that nests more deeply than DuckDB allows, if it says so. */
  static Optional<String> tooDeep(String message) {
    return message.contains("Max expression depth limit")
        ? Optional.of(
            "the statement nests expressions or queries more than 1,000 deep; write a long chain"
                + " of operators as concat(..), list_sum([..]) or IN (..), and nested queries as"
                + " WITH")
        : Optional.empty();
  }

  /** Returns a message without DuckDB's advice to change settings, which statements can't. */
  static String withoutSettings(String message) {
    return ADVICE.matcher(message).replaceAll("").strip();
  }
}
