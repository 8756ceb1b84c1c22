// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.ledger.Fact;
import io.tidemark.ledger.schema.RecordType;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** A table in DuckDB's memory with the columns that our files have, and its copy in a file. */
final class DuckDbCopy implements AutoCloseable {

  private final DuckDBConnection connection;
  private final Path file;

  DuckDbCopy(Path place) throws SQLException {
    connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
    file = place.resolve("copy.parquet");
    run(
        "CREATE TABLE customer (commit_id BIGINT, entity_type VARCHAR, entity_key VARCHAR,"
            + " schema_version_id BIGINT, fields_json VARCHAR, id VARCHAR, name VARCHAR,"
            + " visits BIGINT, balance DOUBLE, active BOOLEAN, city VARCHAR)");
  }

  void fill(List<Customer> rows) throws SQLException {
    try (DuckDBAppender appender = connection.createAppender("main", "customer")) {
      for (Customer row : rows) {
        Fact fact = RecordType.factOf(row);
        appender.beginRow();
        appender.append(1L).append(fact.type().name()).append(row.id()).append(1L);
        appender.append(fact.fieldsJson()).append(row.id()).append(row.name());
        appender.append(row.visits()).append(row.balance()).append(row.active());
        appender.append(row.city());
        appender.endRow();
      }
    }
  }

  void copy() throws SQLException {
    run("COPY customer TO '" + file.toString().replace("'", "''") + "' (FORMAT parquet)");
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
