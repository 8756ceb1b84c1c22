// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Rows of a statement, no more of them than the limit. All rows are found before the first is read.
 * For one thread; the caller closes it.
 *
 * <p>A column whose name another has, too, gets {@code _1} and so on behind it.
 */
public final class SqlResult implements AutoCloseable {

  private final SqlRun run;
  private final SqlRun.Rows rows;
  private final SqlLimits limits;
  private final long commitId;
  private long read;

  /** A column, and its type as DuckDB calls it. */
  public record Column(String name, String type) {}

  SqlResult(SqlRun run, SqlRun.Rows rows, SqlLimits limits, long commitId) {
    this.run = run;
    this.rows = rows;
    this.limits = limits;
    this.commitId = commitId;
  }

  public List<Column> columns() {
    return rows.columns();
  }

  /** Returns the commit as of which the statement was answered. */
  public long commitId() {
    return commitId;
  }

  /** Returns the values of the next row, in the order of the columns; empty at the end. */
  public Optional<List<JsonNode>> next() {
    try {
      Optional<List<JsonNode>> row = rows.next();
      if (row.isPresent() && read++ == limits.rows()) {
        throw SqlLimitException.rows(limits);
      }
      return row;
    } catch (SQLException e) {
      throw SqlErrorTranslator.of(e, limits);
    }
  }

  @Override
  public void close() {
    run.close();
  }
}
