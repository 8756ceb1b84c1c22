// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.ledger.internal.duckdb.SpillDirectory;
import io.tidemark.ledger.query.plan.CancellationToken;
import java.nio.file.Path;
import java.sql.SQLException;

/** Place where statements of people run: this process, or processes with hard limits. */
public interface SqlRunner extends AutoCloseable {

  /** Begins a statement; the caller closes it. */
  SqlRun begin(String text, SqlLimits limits, CancellationToken cancellationToken)
      throws SQLException;

  /** Ends what is idle. */
  @Override
  void close();

  /**
   * Returns the runner of this process.
   *
   * @param spills a directory for directories of what doesn't fit into memory
   */
  static SqlRunner inThisProcess(Path spills) {
    return new SqlRunner() {
      @Override
      public SqlRun begin(String text, SqlLimits limits, CancellationToken cancellationToken)
          throws SQLException {
        Path spill = SpillDirectory.newPath(spills);
        SpillDirectory.prepare(spill);
        return LocalRun.of(text, limits, spill, cancellationToken);
      }

      @Override
      public void close() {
        // Statements end by themselves.
      }
    };
  }
}
