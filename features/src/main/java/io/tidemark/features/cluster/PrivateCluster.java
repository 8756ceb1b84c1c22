// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import io.tidemark.features.db.JdbcUrl;
import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.model.StorageUnusableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL cluster with PostGIS in a directory, for users without a server. It is created with
 * the programs on the machine and listens on the loopback interface only. It accepts clients that
 * know its password, which is in a file that only its owner can read.
 *
 * <p>PostgreSQL refuses to run as root; then the cluster belongs to the user {@code postgres}.
 */
public final class PrivateCluster {

  private static final Logger LOG = LoggerFactory.getLogger(PrivateCluster.class);

  /** A lock of a file is a process's, not a thread's. */
  private static final ReentrantLock HERE = new ReentrantLock();

  private final ClusterFiles files;
  private final PackageInstaller packageInstaller;

  PrivateCluster(Path directory, PackageInstaller packageInstaller) {
    this.files = new ClusterFiles(directory.toAbsolutePath().normalize());
    this.packageInstaller = packageInstaller;
  }

  /** Returns the cluster in a directory, which need not exist; it holds nothing else. */
  public static PrivateCluster in(Path directory) {
    return new PrivateCluster(directory, PackageInstaller.of(HostEnvironment.local()));
  }

  /** Returns the directory that holds it. */
  public Path directory() {
    return files.root();
  }

  /** Returns a file with its password, as psql takes it from {@code PGPASSFILE}. */
  public Path passwordFile() {
    return files.passwordFile();
  }

  /** Returns the state of the cluster. */
  public ClusterState state() {
    Optional<Integer> major = files.major();
    if (major.isEmpty()) {
      return new ClusterState.Absent();
    }
    Optional<Postmaster> server = Postmaster.of(files.data()).filter(Postmaster::isRunning);
    return server.isPresent()
        ? running(major.get(), server.get())
        : new ClusterState.Stopped(major.get());
  }

  private ClusterState.Running running(int major, Postmaster server) {
    return new ClusterState.Running(
        major, server.pid(), server.port(), files.url(server.port(), ClusterFiles.DATABASE));
  }

  /**
   * Creates the cluster if there is none, and starts its server unless it runs. The server runs
   * until it is stopped.
   *
   * @param told gets a message before each step that takes long
   */
  public ClusterState.Running up(Consumer<String> told) {
    return withRunningServer(
        told,
        (running, fresh) -> {
          Files.deleteIfExists(stopMarker());
          return running;
        });
  }

  /**
   * Starts the cluster for as long as it is used: the last user that started it this way stops its
   * server, unless the server was running before all of them.
   *
   * @param told gets a message before each step that takes long
   */
  public Usage use(Consumer<String> told) {
    return withRunningServer(
        told,
        (running, fresh) -> {
          if (fresh) {
            Files.writeString(stopMarker(), "");
          }
          Path users = users();
          ClusterUsers.register(users);
          return new Usage(running.url(), users);
        });
  }

  /** One use of the cluster; the end of a process ends its uses, too. */
  public final class Usage implements AutoCloseable {

    private final JdbcUrl url;
    private final Path users;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Usage(JdbcUrl url, Path users) {
      this.url = url;
      this.users = users;
    }

    /** Returns the address of the cluster's database. */
    public JdbcUrl url() {
      return url;
    }

    @Override
    public void close() {
      if (closed.getAndSet(true)) {
        return;
      }
      boolean left = false;
      try (ExclusiveLock exclusiveLock = lockExclusively()) {
        left = true;
        if (ClusterUsers.unregister(users) && Files.exists(stopMarker())) {
          stop(new ClusterServer(files, of(files.major().orElseThrow())));
        }
      } catch (IOException e) {
        throw unusable(e);
      } finally {
        if (!left) {
          leave();
        }
      }
    }

    /** Ends this use; a process that can't stop the server any more doesn't need it either. */
    private void leave() {
      try {
        boolean unused = ClusterUsers.unregister(users);
      } catch (IOException e) {
        LOG.debug("whether others use {} can't be told", files.root(), e);
      }
    }
  }

  private void stop(ClusterServer clusterServer) throws IOException {
    boolean unused = clusterServer.stop();
    Files.deleteIfExists(stopMarker());
  }

  /** Returns the marker file that exists while the server is to stop with its last user. */
  private Path stopMarker() {
    return files.root().resolve("passing");
  }

  /** Returns the lock file of the users, the same for all paths that lead to the directory. */
  private Path users() throws IOException {
    return files.root().toRealPath().resolve("users");
  }

  /** Action under the lock on a server that runs. */
  private interface ServerAction<T> {

    /**
     * Does it.
     *
     * @param fresh whether it was started just now
     */
    T with(ClusterState.Running running, boolean fresh) throws IOException;
  }

  private <T> T withRunningServer(Consumer<String> told, ServerAction<T> work) {
    Optional<Integer> known = files.major();
    PostgresInstallation postgresInstallation =
        known.isPresent() ? of(known.get()) : packageInstaller.ensureInstalled(told);
    try {
      files.prepare(postgresInstallation);
      try (ExclusiveLock exclusiveLock = lockExclusively()) {
        if (files.major().isEmpty()) {
          told.accept("making a cluster in " + files.root() + " ...");
          files.create(postgresInstallation);
        }
        return withRunningServer(new ClusterServer(files, postgresInstallation), work);
      }
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /**
   * Runs work on a running server; a server that was started for it is stopped when the work fails.
   */
  private <T> T withRunningServer(ClusterServer clusterServer, ServerAction<T> work)
      throws IOException {
    boolean fresh = !(state() instanceof ClusterState.Running);
    Postmaster started = clusterServer.start();
    try {
      makeDatabase(started.port());
      return work.with(running(clusterServer.programs().major(), started), fresh);
    } catch (IOException | RuntimeException e) {
      if (fresh) {
        stopAfter(clusterServer, e);
      }
      throw e;
    }
  }

  private void stopAfter(ClusterServer clusterServer, Exception problem) {
    try {
      stop(clusterServer);
    } catch (IOException | RuntimeException e) {
      problem.addSuppressed(e);
    }
  }

  /** Stops its server; whether one ran. */
  public boolean down() {
    Optional<Integer> known = files.major();
    if (known.isEmpty()) {
      return false;
    }
    PostgresInstallation postgresInstallation = of(known.get());
    try (ExclusiveLock exclusiveLock = lockExclusively()) {
      Files.deleteIfExists(stopMarker());
      return new ClusterServer(files, postgresInstallation).stop();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private ClusterException unusable(IOException e) {
    return new ClusterException("can't use " + files.root() + " (" + e + ")", e);
  }

  /** Returns the programs for a cluster that is there: a server reads no other version's files. */
  private PostgresInstallation of(int major) {
    List<PostgresInstallation> installed = packageInstaller.machine().installed();
    return installed.stream()
        .filter(postgresInstallation -> postgresInstallation.major() == major)
        .findFirst()
        .orElseThrow(
            () ->
                new ClusterException(
                    "the cluster in %s is one of PostgreSQL %d, and there is %s; install PostgreSQL %d (on Debian: postgresql-%d and postgresql-%d-postgis-3), or move the directory away and begin anew"
                        .formatted(files.root(), major, versions(installed), major, major, major)));
  }

  private static String versions(List<PostgresInstallation> installed) {
    return installed.isEmpty()
        ? "none on this machine"
        : "only "
            + installed.stream()
                .map(postgresInstallation -> Integer.toString(postgresInstallation.major()))
                .distinct()
                .collect(Collectors.joining(" and "));
  }

  /** Exclusive right to start and stop the server, until this is closed or this process ends. */
  private record ExclusiveLock(FileChannel channel) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      try {
        channel.close();
      } finally {
        HERE.unlock();
      }
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // whoever is alone closes it
  private ExclusiveLock lockExclusively() throws IOException {
    HERE.lock();
    try {
      FileChannel channel =
          FileChannel.open(
              files.root().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        channel.lock();
        return new ExclusiveLock(channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      HERE.unlock();
      throw e;
    }
  }

  private void makeDatabase(int port) {
    JdbcUrl url = files.url(port, "postgres");
    try (Connection connection = DriverManager.getConnection(url.secret());
        Statement sql = connection.createStatement()) {
      if (isEmpty(sql, "SELECT 1 FROM pg_available_extensions WHERE name = 'postgis'")) {
        throw new StorageUnusableException(
            "the PostgreSQL in "
                + files.root()
                + " has no PostGIS; install it (on Debian: postgresql-VERSION-postgis-3)");
      }
      if (isEmpty(
          sql, "SELECT 1 FROM pg_database WHERE datname = '" + ClusterFiles.DATABASE + "'")) {
        sql.execute("CREATE DATABASE " + ClusterFiles.DATABASE);
      }
    } catch (SQLException e) {
      throw PostgresErrorTranslator.translate(e);
    }
  }

  private static boolean isEmpty(Statement sql, String query) throws SQLException {
    try (ResultSet rows = sql.executeQuery(query)) {
      return !rows.next();
    }
  }
}
