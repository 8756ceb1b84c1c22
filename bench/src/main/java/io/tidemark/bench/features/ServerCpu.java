// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * CPU time of a whole PostgreSQL server, with processes that have ended, and the time at which its
 * autovacuum works. The connection that asks isn't counted.
 */
final class ServerCpu implements AutoCloseable {

  /** Linux gives CPU times in hundredths of a second on every machine. */
  private static final double MICROS_PER_TICK = 10_000;

  private static final int UTIME = 11;
  private static final int CHILDREN_UTIME = 13;
  private static final int PARENT = 1;

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Connection connection;
  private final long self;
  private final long postmaster;

  /** Connects to a server, as a superuser, and switches its autovacuum off. */
  ServerCpu(String url) throws SQLException {
    this.connection = DriverManager.getConnection(url);
    this.self = number("SELECT pg_backend_pid()");
    this.postmaster = Long.parseLong(stat(self)[PARENT]);
    autovacuum("off");
  }

  /** Returns the CPU time that the server has taken since it was started. */
  double micros() {
    while (true) {
      double ended = ticks(postmaster, CHILDREN_UTIME);
      double alive =
          ProcessHandle.of(postmaster)
              .orElseThrow()
              .children()
              .filter(child -> child.pid() != self)
              .mapToDouble(child -> ticks(child.pid(), UTIME))
              .sum();
      if (ticks(postmaster, CHILDREN_UTIME) == ended) { // no child ended in between
        return (ticks(postmaster, UTIME) + ended + alive) * MICROS_PER_TICK;
      }
    }
  }

  /** Returns the CPU time of the programs that this one has started and that have ended. */
  static double microsOfEndedPrograms() {
    return ticks(ProcessHandle.current().pid(), CHILDREN_UTIME) * MICROS_PER_TICK;
  }

  /** Waits until the connections of programs that have ended are gone and left their CPU time. */
  void awaitOnly(int connections) throws SQLException {
    await(
        "SELECT count(*) - 1 - %d FROM pg_stat_activity WHERE backend_type = 'client backend'"
            .formatted(connections));
  }

  /**
   * Lets autovacuum work until it has analysed all of these tables.
   *
   * @param tables a regular expression of their names
   */
  void vacuum(String tables) throws SQLException {
    autovacuum("on");
    await(
        ("SELECT (SELECT count(*) FROM pg_stat_user_tables WHERE relname ~ '%s' AND last_autoanalyze"
                + " IS NULL AND relid IN (SELECT oid FROM pg_class WHERE relkind = 'r'))"
                + " + (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'autovacuum worker')")
            .formatted(tables));
    autovacuum("off");
    await("SELECT count(*) FROM pg_stat_activity WHERE backend_type ~ 'autovacuum'");
  }

  private void autovacuum(String state) throws SQLException {
    run("ALTER SYSTEM SET autovacuum = " + state);
    run("SELECT pg_reload_conf()");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Waits until a query finds nothing left. */
  private void await(String left) throws SQLException {
    long start = System.nanoTime();
    while (number(left) > 0) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new IllegalStateException("the server isn't done after " + PATIENCE + ": " + left);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Returns the sum of a field and the next one, which are user and system time. */
  private static double ticks(long pid, int field) {
    String[] fields = stat(pid);
    return fields.length == 0
        ? 0
        : Double.parseDouble(fields[field]) + Double.parseDouble(fields[field + 1]);
  }

  /** Returns what {@code /proc/PID/stat} has after the program's name; nothing of an ended one. */
  private static String[] stat(long pid) {
    Path file = Path.of("/proc", Long.toString(pid), "stat");
    try {
      String stat = Files.readString(file);
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    } catch (IOException e) {
      if (Files.notExists(file)) {
        return new String[0];
      }
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
