// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Database of one statement: checks the statement, then runs it on tables that are made for it.
 * Used by one thread, which closes it.
 */
interface SqlRun extends AutoCloseable {

  /**
   * Tables and files that a statement may read.
   *
   * @param tables statements that make its tables
   * @param files the only files it may read
   * @param parameters a value for each {@code ?}
   */
  record Tables(List<String> tables, Set<Path> files, List<JsonNode> parameters) {

    public Tables {
      tables = List.copyOf(tables);
      files = Set.copyOf(files);
      parameters = List.copyOf(parameters);
    }
  }

  /** The rows of an answer. */
  interface Rows {

    /** Returns the columns. */
    List<SqlResult.Column> columns();

    /** Returns the values of the next row; empty at the end. */
    Optional<List<JsonNode>> next() throws SQLException;
  }

  /** Checks the statement. */
  CheckedSql check() throws SQLException;

  /** Runs it. */
  Rows execute(Tables tables) throws SQLException;

  /** Returns how DuckDB would run it. */
  String explain(Tables tables) throws SQLException;

  /** Writes its rows to a Parquet file and returns how many there are. */
  long copy(Tables tables, Path file) throws SQLException;

  @Override
  void close();
}
