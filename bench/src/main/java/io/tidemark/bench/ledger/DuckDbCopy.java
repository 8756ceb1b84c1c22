// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Files of DuckDB's with the columns that ours have, from wherever it has the rows. */
final class DuckDbCopy implements AutoCloseable {

  private static final String FIELDS =
      "id VARCHAR, name VARCHAR, visits BIGINT, balance DOUBLE, active BOOLEAN, city VARCHAR";

  /** The columns of a file, from a table with the fields alone; the payload is made by DuckDB. */
  private static final String COLUMNS =
      "1::BIGINT AS commit_id, 'Customer' AS entity_type, id AS entity_key,"
          + " 1::BIGINT AS schema_version_id, to_json({active: active, balance: balance,"
          + " city: city, id: id, name: name, visits: visits})::VARCHAR AS fields_json,"
          + " active, balance, city, id, name, visits";

  private final DuckDBConnection connection;
  private final Path file;

  DuckDbCopy(Path place) throws SQLException {
    connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
    file = place.resolve("copy.parquet");
    run("CREATE TABLE fields (" + FIELDS + ")");
  }

  /** Puts rows into an empty table of its own. */
  void fill(List<Customer> rows) throws SQLException {
    run("TRUNCATE fields");
    try (DuckDBAppender appender = connection.createAppender("main", "fields")) {
      for (Customer row : rows) {
        appender.beginRow();
        appender.append(row.id()).append(row.name()).append(row.visits());
        appender.append(row.balance()).append(row.active()).append(row.city());
        appender.endRow();
      }
    }
  }

  /** Makes a table of them that has all columns of a file. */
  void prepare() throws SQLException {
    run("CREATE TABLE customer AS SELECT " + COLUMNS + " FROM fields");
  }

  /** Copies that table. */
  void copyTable() throws SQLException {
    copy("customer");
  }

  /** Takes rows and copies them. */
  void appendAndCopy(List<Customer> rows) throws SQLException {
    fill(rows);
    copy("(SELECT " + COLUMNS + " FROM fields)");
  }

  /** Copies the rows of a file of an export's. */
  void copyLines(Path lines) throws SQLException {
    copy(
        "(SELECT "
            + COLUMNS
            + " FROM (SELECT fields.* FROM read_json('"
            + quoted(lines)
            + "', format = 'newline_delimited', columns = {fields: 'STRUCT("
            + FIELDS
            + ")', key: 'VARCHAR', type_kind: 'VARCHAR', type_name: 'VARCHAR'})))");
  }

  private void copy(String what) throws SQLException {
    run("COPY " + what + " TO '" + quoted(file) + "' (FORMAT parquet)");
  }

  private static String quoted(Path path) {
    return path.toString().replace("'", "''");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
