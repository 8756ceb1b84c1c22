// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.SqlQuoting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * DuckDB in memory for one untrusted statement. First this process prepares it; once it is locked
 * it opens the files it was told of and nothing else, and no setting can be changed.
 */
final class Sandbox implements AutoCloseable {

  private final Connection connection;
  private final Path spill;

  private Sandbox(Connection connection, Path spill) {
    this.connection = connection;
    this.spill = spill;
  }

  /**
   * Opens a sandbox.
   *
   * @param spill a directory of its own for what doesn't fit into memory
   */
  static Sandbox open(Path spill, SqlLimits limits) throws SQLException {
    Sandbox sandbox = new Sandbox(DuckDbDatabase.inMemory(new Properties()), spill);
    try {
      sandbox.prepare(
          List.of(
              "SET TimeZone = 'UTC'",
              "SET memory_limit = " + SqlQuoting.text(limits.memory()),
              "SET temp_directory = " + SqlQuoting.text(spill.toString()),
              "SET max_temp_directory_size = " + SqlQuoting.text(limits.disk()),
              "SET autoinstall_known_extensions = false",
              "SET disabled_optimizers = 'compressed_materialization'", // see DuckDbDatabase
              "SET autoload_known_extensions = false"));
      return sandbox;
    } catch (SQLException | RuntimeException e) {
      sandbox.close();
      throw e;
    }
  }

  Connection connection() {
    return connection;
  }

  void prepare(List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  /** Locks the sandbox: only these files can be opened from here on, and nothing changes that. */
  void lock(Collection<Path> files) throws SQLException {
    prepare(
        List.of(
            "SET allowed_paths = ["
                + SqlQuoting.list(files.stream().map(Path::toString).toList())
                + "]",
            "SET enable_external_access = false",
            "SET lock_configuration = true"));
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("DuckDB could not be closed", e);
    } finally {
      deleteSpill(spill);
    }
  }

  /** Deletes spilled files; those that can't be deleted are left to the cleaning of the cache. */
  static void deleteSpill(Path spill) {
    try (Stream<Path> files = Files.walk(spill)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(Sandbox::deleteOne);
    } catch (IOException | UncheckedIOException e) {
      return;
    }
  }

  private static void deleteOne(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
