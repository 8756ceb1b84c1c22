// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.natives.DuckDbLibrary;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * DuckDB database, in memory or in a file. Opened when it is first needed, since loading it takes
 * half a second. Safe for use by several threads.
 */
public final class DuckDbDatabase implements AutoCloseable {

  private static final int MOST_RESTED = 8;

  /** Name of a database in a file; only an attached database can have small groups. */
  private static final String ATTACHED = "kept";

  /**
   * Number of rows in a group of a database in a file, a twelfth of the default. A search for few
   * rows reads that much less beside them, and so does an update that marks a few as superseded.
   * The file is larger for it; with still smaller groups, reading all of a table takes longer.
   */
  public static final int ROW_GROUP = 10_240;

  private final String file;
  private final Path spill;
  private final String memoryLimit;
  private final Set<DuckDBConnection> connections = ConcurrentHashMap.newKeySet();
  private final Deque<DuckDbSession> rested = new ConcurrentLinkedDeque<>();
  private volatile State state = new State.Unopened();

  private sealed interface State {
    record Unopened() implements State {}

    record Open(DuckDBConnection root) implements State {}

    record Closed() implements State {}
  }

  /**
   * Creates a database in memory, which reads files and keeps nothing.
   *
   * @param spill directory for data that exceeds its memory
   * @param memoryLimit memory limit such as {@code 1GB}
   */
  public DuckDbDatabase(Path spill, String memoryLimit) {
    this("", spill, memoryLimit);
  }

  private DuckDbDatabase(String file, Path spill, String memoryLimit) {
    this.file = file;
    this.spill = spill;
    this.memoryLimit = memoryLimit;
  }

  /** Returns a database in a file, which is created when it is missing. */
  public static DuckDbDatabase inFile(Path file, Path spill, String memoryLimit) {
    return new DuckDbDatabase(file.toString(), spill, memoryLimit);
  }

  /** Returns a new connection, which the caller closes. */
  public Connection connect() throws SQLException {
    return opened(root());
  }

  /**
   * Returns a pooled session for one query; the caller closes it.
   *
   * @param cancellationToken cancels the query
   */
  DuckDbSession session(CancellationToken cancellationToken) throws SQLException {
    DuckDBConnection root = root();
    DuckDbSession idle = rested.poll();
    DuckDbSession duckDbSession =
        idle == null ? new DuckDbSession(opened(root), memory(), this::takeBack) : idle;
    duckDbSession.begin(cancellationToken);
    return duckDbSession;
  }

  private DuckDbSession.StatementCaching memory() {
    return file.isEmpty()
        ? DuckDbSession.StatementCaching.FORGETS
        : DuckDbSession.StatementCaching.KEEPS;
  }

  private void takeBack(DuckDbSession duckDbSession) throws SQLException {
    if (duckDbSession.isBroken() || rested.size() >= MOST_RESTED) {
      end(duckDbSession);
      return;
    }
    rested.push(duckDbSession);
    if (state instanceof State.Closed
        && rested.remove(duckDbSession)) { // no query reuses it any more
      end(duckDbSession);
    }
  }

  private void end(DuckDbSession duckDbSession) throws SQLException {
    duckDbSession.connection().close();
    connections.remove(duckDbSession.connection());
  }

  /**
   * Opens a connection and registers it, so that none is left open: DuckDB keeps its file until the
   * last is closed.
   */
  private DuckDBConnection opened(DuckDBConnection root) throws SQLException {
    connections.removeIf(DuckDbDatabase::isClosed);
    DuckDBConnection made = root.duplicate();
    connections.add(made);
    if (!file.isEmpty()) {
      runOrClose(made, List.of("USE " + ATTACHED));
    }
    if (state instanceof State.Closed) { // meanwhile
      made.close();
    }
    return made;
  }

  private static void runOrClose(DuckDBConnection connection, List<String> commands)
      throws SQLException {
    try {
      run(connection, commands);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static boolean isClosed(DuckDBConnection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return false; // closed again when the database is
    }
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
    SpillDirectory.prepare(spill);
    Properties properties = new Properties();
    properties.setProperty(DuckDbExecutor.STREAM_RESULTS, "true");
    DuckDBConnection root = inMemory(properties);
    List<String> settings = new ArrayList<>();
    // Insertion order is preserved, which is the default: without it DuckDB 2.0 hands out the row
    // groups of a sorted answer in any order.
    settings.addAll(
        List.of(
            "SET TimeZone = 'UTC'",
            "SET memory_limit = " + SqlQuoting.text(memoryLimit),
            "SET temp_directory = " + SqlQuoting.text(spill.toString()),
            "SET autoinstall_known_extensions = false",
            "SET autoload_known_extensions = false",
            "SET parquet_metadata_cache = true",
            // It packs sums and keys by limits that can be wrong: found by random groups in DuckDB
            // 2.0.
            "SET disabled_optimizers = 'compressed_materialization'"));
    if (!file.isEmpty()) {
      String at = "ATTACH " + SqlQuoting.text(file) + " AS " + ATTACHED;
      settings.add(at + " (ROW_GROUP_SIZE " + ROW_GROUP + ")");
    }
    runOrClose(root, settings);
    return root;
  }

  /** Opens a database in memory, without asking the drivers of other databases for it. */
  public static DuckDBConnection inMemory(Properties properties) throws SQLException {
    DuckDbLibrary.prepare();
    return (DuckDBConnection) new DuckDBDriver().connect("jdbc:duckdb:", properties);
  }

  private static void run(DuckDBConnection connection, List<String> commands) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String command : commands) {
        statement.execute(command);
      }
    }
  }

  /**
   * Lends no more sessions. Running queries continue, and their sessions are closed when they are
   * returned.
   */
  public synchronized void retire() {
    State before = state;
    state = new State.Closed();
    List<AutoCloseable> unused = new ArrayList<>();
    for (DuckDbSession duckDbSession = rested.poll();
        duckDbSession != null;
        duckDbSession = rested.poll()) {
      unused.add(duckDbSession.connection());
    }
    if (before instanceof State.Open open) {
      unused.add(open.root());
    }
    closeAll(unused);
  }

  /** Closes the database, and ends running queries. */
  @Override
  public synchronized void close() {
    State before = state;
    state = new State.Closed();
    List<AutoCloseable> all = new ArrayList<>(connections);
    connections.clear();
    rested.clear();
    if (before instanceof State.Open open) {
      all.add(open.root());
    }
    closeAll(all);
  }

  /** Closes all; a resource that can't be closed keeps none of the others open. */
  private static void closeAll(List<AutoCloseable> all) {
    List<Exception> problems = new ArrayList<>();
    for (AutoCloseable each : all) {
      try {
        each.close();
      } catch (Exception e) {
        problems.add(e);
      }
    }
    if (!problems.isEmpty()) {
      Exception first = problems.get(0);
      throw new StoreUnavailableException(
          "DuckDB could not be closed: " + first.getMessage(), first);
    }
  }
}
