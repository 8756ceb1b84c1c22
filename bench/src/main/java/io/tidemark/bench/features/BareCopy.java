// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * The floor of a load: finished rows, namespaces and all, that are in memory already in the format
 * of COPY, sent into sixteen bare tables by several connections; then the keys that HEAD has.
 */
final class BareCopy implements AutoCloseable {

  private static final List<String> LEAVES =
      List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f");

  private final List<byte[]> rows = new ArrayList<>();
  private final List<Connection> connections = new ArrayList<>();
  private final ExecutorService threads;

  /** With the rows of a collection that was loaded. */
  BareCopy(String url, String collection, int parallel) throws SQLException, IOException {
    this.threads = Executors.newFixedThreadPool(parallel);
    for (int i = 0; i < parallel; i++) {
      connections.add(DriverManager.getConnection(url));
    }
    for (String leaf : LEAVES) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      connections
          .get(0)
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyOut("COPY %s_%s TO STDOUT (FORMAT binary)".formatted(collection, leaf), bytes);
      rows.add(bytes.toByteArray());
    }
  }

  /** How many bytes are sent. */
  long bytes() {
    return rows.stream().mapToLong(leaf -> leaf.length).sum();
  }

  /** Sends all rows and builds the keys. */
  void run() throws Exception {
    execute(
        connections.get(0),
        leaf ->
            "DROP TABLE IF EXISTS bare_%1$s; CREATE TABLE bare_%1$s (i bigint NOT NULL, geo geometry,"
                    .formatted(leaf)
                + " jsondata jsonb NOT NULL) WITH (autovacuum_enabled = off)");
    each(this::copy);
    each(
        (connection, leaf) ->
            run(
                connection,
                "SET max_parallel_maintenance_workers = 0; SELECT naksha_head_keys('bare_%s', false)"
                    .formatted(leaf)));
  }

  /** Leaves the tables to autovacuum, as any table is that somebody fills by COPY. */
  void leaveToAutovacuum() throws SQLException {
    execute(
        connections.get(0),
        leaf -> "ALTER TABLE bare_%s RESET (autovacuum_enabled)".formatted(leaf));
    for (Connection connection : connections) {
      run(connection, "SELECT pg_stat_force_next_flush()"); // a session tells late what it wrote
    }
  }

  private void copy(Connection connection, String leaf) throws SQLException {
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY bare_%s FROM STDIN (FORMAT binary)".formatted(leaf));
    byte[] bytes = rows.get(LEAVES.indexOf(leaf));
    copy.writeToCopy(bytes, 0, bytes.length);
    copy.endCopy();
  }

  /** Something to be done with a leaf. */
  @FunctionalInterface
  private interface Work {
    void with(Connection connection, String leaf) throws SQLException;
  }

  private void each(Work work) throws Exception {
    Queue<String> left = new ConcurrentLinkedQueue<>(LEAVES);
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (Connection connection : connections) {
      tasks.add(
          () -> {
            for (String leaf = left.poll(); leaf != null; leaf = left.poll()) {
              work.with(connection, leaf);
            }
            return true;
          });
    }
    for (Future<Boolean> ended : threads.invokeAll(tasks)) {
      ended.get();
    }
  }

  private static void execute(Connection connection, UnaryOperator<String> statement)
      throws SQLException {
    for (String leaf : LEAVES) {
      run(connection, statement.apply(leaf));
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    threads.shutdown();
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
