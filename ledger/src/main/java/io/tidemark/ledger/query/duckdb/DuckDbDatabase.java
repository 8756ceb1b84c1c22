// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.objects.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBConnection;

/**
 * A DuckDB, in memory or in a file. Opened when it is first needed, since loading it takes half a
 * second. Safe for use by several threads.
 */
public final class DuckDbDatabase implements AutoCloseable {

  private final String file;
  private final Path spill;
  private final String memoryLimit;
  private volatile State state = new State.Unopened();

  private sealed interface State {
    record Unopened() implements State {}

    record Open(DuckDBConnection root) implements State {}

    record Closed() implements State {}
  }

  /**
   * A database in memory, which reads files and keeps nothing.
   *
   * @param spill where it puts what doesn't fit into its memory
   * @param memoryLimit such as {@code 1GB}
   */
  public DuckDbDatabase(Path spill, String memoryLimit) {
    this("", spill, memoryLimit);
  }

  private DuckDbDatabase(String file, Path spill, String memoryLimit) {
    this.file = file;
    this.spill = spill;
    this.memoryLimit = memoryLimit;
  }

  /** A database in a file, which is made when it isn't there. */
  public static DuckDbDatabase inFile(Path file, Path spill, String memoryLimit) {
    return new DuckDbDatabase(file.toString(), spill, memoryLimit);
  }

  /** A connection for one query; the caller closes it. */
  public Connection connect() throws SQLException {
    return root().duplicate();
  }

  private DuckDBConnection root() throws SQLException {
    if (state instanceof State.Open open) {
      return open.root();
    }
    synchronized (this) {
      if (state instanceof State.Closed) {
        throw new IllegalStateException("the ledger was closed, and its queries with it");
      }
      if (state instanceof State.Unopened) {
        state = new State.Open(open());
      }
      return ((State.Open) state).root();
    }
  }

  private DuckDBConnection open() throws SQLException {
    SpillPlace.prepare(spill);
    Properties properties = new Properties();
    properties.setProperty(DuckDbExecutor.STREAM_RESULTS, "true");
    DuckDBConnection root =
        (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + file, properties);
    List<String> settings =
        List.of(
            "SET TimeZone = 'UTC'",
            "SET memory_limit = " + SqlText.text(memoryLimit),
            "SET temp_directory = " + SqlText.text(spill.toString()),
            "SET autoinstall_known_extensions = false",
            "SET autoload_known_extensions = false",
            "SET parquet_metadata_cache = true",
            // It packs sums and keys by limits that can be wrong: found by random groups in DuckDB
            // 2.0.
            "SET disabled_optimizers = 'compressed_materialization'",
            "SET preserve_insertion_order = false");
    try (Statement statement = root.createStatement()) {
      for (String setting : settings) {
        statement.execute(setting);
      }
    } catch (SQLException e) {
      root.close();
      throw e;
    }
    return root;
  }

  /** Ends it, and queries that are under way with it. */
  @Override
  public synchronized void close() {
    State before = state;
    state = new State.Closed();
    if (before instanceof State.Open open) {
      try {
        open.root().close();
      } catch (SQLException e) {
        throw new StoreUnavailableException("DuckDB could not be closed: " + e.getMessage(), e);
      }
    }
  }
}
