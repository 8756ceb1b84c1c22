// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A PostgreSQL cluster of our own with PostGIS, on the loopback interface and in a temporary
 * directory that goes when it stops. The cluster of the machine, if there is one, is not touched.
 * It needs Linux and the Debian packages {@code postgresql-15} and {@code postgresql-15-postgis-3},
 * or newer ones.
 *
 * <p>By default it doesn't wait for the disk, which a test that doesn't crash the machine can't
 * tell; {@code start(Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on"))}
 * does.
 *
 * <p>The server ends with this JVM, even one that is killed; then its directory, named {@code
 * tidemark-postgres-*}, is left for whoever cleans the temporary files.
 */
public final class PostgresServer implements AutoCloseable {

  private static final String USER = "tidemark";
  private static final int PORT_ATTEMPTS = 5;

  /** Made once, because copying a database is ten times faster than creating the extension. */
  private static final String TEMPLATE = "template_postgis";

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "fsync", "off",
          "synchronous_commit", "off",
          "full_page_writes", "off",
          "max_connections", "200",
          "listen_addresses", "127.0.0.1",
          "unix_socket_directories", "",
          "lc_messages", "C");

  private final PostgresCluster cluster;
  private volatile Listening listening;
  private final Thread shutdownHook = new Thread(this::stop, "stop-postgres-server");

  private PostgresServer(PostgresCluster cluster, Listening listening) {
    this.cluster = cluster;
    this.listening = listening;
  }

  /** A server process, how it was started and where it listens. */
  private record Listening(PostgresProcess process, List<String> command, int port) {

    static Listening start(List<String> command, PostgresCluster cluster, int port) {
      return new Listening(PostgresProcess.start(command, cluster.directory()), command, port);
    }
  }

  /** Starts a server that the caller closes. */
  public static PostgresServer start() {
    return start(Map.of());
  }

  /**
   * Starts a server that the caller closes, with settings as in {@code postgresql.conf}. It does
   * nothing by itself: a transaction of its own, in whichever database, would be one under way that
   * a test doesn't know of, and statistics that come some time or other would change plans.
   */
  public static PostgresServer start(Map<String, String> settings) {
    Map<String, String> quiet = new TreeMap<>(Map.of("autovacuum", "off"));
    quiet.putAll(settings);
    return start(Path.of(System.getProperty("java.io.tmpdir")), quiet);
  }

  /**
   * The same with its files on a disk of the caller's choice, for measuring.
   *
   * @param parent where to make its temporary directory; every user must be able to pass it
   */
  public static PostgresServer start(Path parent, Map<String, String> settings) {
    PostgresPrograms programs = PostgresPrograms.find();
    PostgresServer server =
        start(programs, PostgresCluster.create(programs, USER, parent.toAbsolutePath()), settings);
    server.createTemplate();
    return server;
  }

  private static PostgresServer start(
      PostgresPrograms programs, PostgresCluster cluster, Map<String, String> settings) {
    PostgresServer server;
    try {
      server = new PostgresServer(cluster, listen(programs, cluster, settings));
    } catch (RuntimeException e) {
      cluster.delete();
      throw e;
    }
    Runtime.getRuntime().addShutdownHook(server.shutdownHook);
    return server;
  }

  /**
   * Starts a streaming replica of this server, which the caller closes. It can be read, and gets
   * what this server commits as soon as that is on the disk; with {@code synchronous_commit=on}
   * that is at once.
   */
  public PostgresServer startReplica() {
    PostgresPrograms programs = PostgresPrograms.find();
    String source =
        "host=127.0.0.1 port=%d user=%s password=%s"
            .formatted(listening.port(), USER, cluster.password());
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    return start(
        programs, PostgresCluster.replica(programs, source, cluster.password(), parent), Map.of());
  }

  /** The URL on this server, a replica, of a database of the one it follows. */
  public String urlHere(String urlThere) {
    return urlOf(databaseOf(urlThere));
  }

  /** Tries another port when somebody takes the one that was free a moment ago. */
  private static Listening listen(
      PostgresPrograms programs, PostgresCluster cluster, Map<String, String> settings) {
    for (int attempt = 1; ; attempt++) {
      int port = freePort();
      List<String> command = programs.command("postgres", arguments(cluster, port, settings));
      try {
        return Listening.start(command, cluster, port);
      } catch (IllegalStateException e) {
        boolean taken = String.valueOf(e.getMessage()).contains("Address already in use");
        if (!taken || attempt == PORT_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static List<String> arguments(
      PostgresCluster cluster, int port, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(DEFAULTS);
    all.putAll(settings);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-D", cluster.data().toString()));
    arguments.addAll(List.of("-p", Integer.toString(port)));
    all.forEach((name, value) -> arguments.addAll(List.of("-c", name + "=" + value)));
    return arguments;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("there is no free port on the loopback interface", e);
    }
  }

  /** The owner of every database, and a superuser. */
  public String user() {
    return USER;
  }

  /** That user's password. */
  public String password() {
    return cluster.password();
  }

  /** The URL of the database that is there from the start, with the credentials in it. */
  public String jdbcUrl() {
    return urlOf("postgres");
  }

  /** The URL of a fresh database with PostGIS, with the credentials in it. */
  public String createDatabase() {
    String name = "test_" + UUID.randomUUID().toString().replace("-", "");
    execute("postgres", "CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
    return urlOf(name);
  }

  /** How a database is dumped, and restored by which program. */
  public enum Dump {
    /** SQL, for {@code psql}. */
    PLAIN,
    /** PostgreSQL's own format, for {@code pg_restore}. */
    CUSTOM
  }

  /** Dumps a database by {@code pg_dump} and restores it into a new one; the URL of that. */
  public String copyByDump(String url, Dump format) {
    PostgresClient client =
        new PostgresClient(
            "host=127.0.0.1 port=%d user=%s".formatted(listening.port(), USER), cluster.password());
    String to = "test_" + UUID.randomUUID().toString().replace("-", "");
    execute("postgres", "CREATE DATABASE " + to + " TEMPLATE template0");
    byte[] dump =
        client.run(
            databaseOf(url),
            new byte[0],
            "pg_dump",
            format == Dump.PLAIN ? "--format=plain" : "--format=custom");
    if (format == Dump.PLAIN) {
      client.run(to, dump, "psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1");
    } else {
      client.run(to, dump, "pg_restore", "--exit-on-error");
    }
    return urlOf(to);
  }

  private static String databaseOf(String url) {
    return url.replaceAll(".*/([^/?]+)\\?.*", "$1");
  }

  /** The last lines the server logged, for the message of a test that fails. */
  public String log() {
    return listening.process().log();
  }

  /**
   * Kills the server and all its backends as {@code kill -9} does, wherever they are at the moment.
   * What it had committed is on the disk only if it runs with {@code synchronous_commit=on}.
   */
  public void kill() {
    listening.process().kill();
  }

  /** Starts it again after {@link #kill}, on the same files and the same port. */
  public void restart() {
    listening = Listening.start(listening.command(), cluster, listening.port());
  }

  /** Stops it at once and deletes what it held. */
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(shutdownHook);
    stop();
  }

  private void stop() {
    listening.process().stop();
    cluster.delete();
  }

  private void createTemplate() {
    execute("postgres", "CREATE DATABASE " + TEMPLATE);
    try {
      execute(TEMPLATE, "CREATE EXTENSION postgis");
    } catch (IllegalStateException e) {
      close();
      throw new IllegalStateException(PostgresPrograms.missingPostgis(), e);
    }
  }

  private void execute(String database, String sql) {
    try (Connection connection = DriverManager.getConnection(urlOf(database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL can't do: " + sql + "; its log:\n" + log(), e);
    }
  }

  private String urlOf(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s"
        .formatted(listening.port(), database, USER, cluster.password());
  }
}
