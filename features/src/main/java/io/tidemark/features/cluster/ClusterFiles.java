// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import io.tidemark.features.db.JdbcUrl;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a private cluster. A cluster is created under a temporary name and renamed in one
 * step once it is complete, so that an incomplete cluster is never found.
 *
 * <pre>
 *   lock              held by the process that creates, starts or stops the server
 *   cluster/data      the data directory (PGDATA)
 *   cluster/pgpass    the password, in the form that psql takes; only its owner may read it
 *   cluster/server.log
 *   new-*             a cluster that is being created, or was never finished
 * </pre>
 *
 * @param root the directory that holds all this
 */
record ClusterFiles(Path root) {

  static final String USER = "tidemark";
  static final String DATABASE = "features";
  static final String HOST = "127.0.0.1";

  private static final Logger LOG = LoggerFactory.getLogger(ClusterFiles.class);
  private static final int PASSWORD_BYTES = 24;
  private static final Set<PosixFilePermission> OWNERS_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /** No other user of the machine gets in: passwords only, and no access from outside. */
  private static final String SETTINGS =
      """

      # What follows was added for a private cluster of Tidemark.
      listen_addresses = '127.0.0.1'
      unix_socket_directories = ''
      logging_collector = off
      log_line_prefix = '%m [%p] '
      max_locks_per_transaction = 256
      """;

  Path cluster() {
    return root.resolve("cluster");
  }

  Path data() {
    return cluster().resolve("data");
  }

  Path passwordFile() {
    return cluster().resolve("pgpass");
  }

  Path log() {
    return cluster().resolve("server.log");
  }

  /** Returns the version of PostgreSQL that the cluster belongs to; empty when there is none. */
  Optional<Integer> major() {
    try {
      Path version = data().resolve("PG_VERSION");
      return Files.exists(version)
          ? Optional.of(Integer.parseInt(Files.readString(version).strip()))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      throw new ClusterException("can't tell the version of the cluster in " + root, e);
    }
  }

  JdbcUrl url(int port, String database) {
    try {
      String[] fields = Files.readString(passwordFile()).strip().split(":", -1);
      return JdbcUrl.parse(
              "jdbc:postgresql://%s:%d/%s?user=%s".formatted(HOST, port, database, USER))
          .withPassword(fields[fields.length - 1]);
    } catch (IOException e) {
      throw new ClusterException(
          "can't read " + passwordFile() + "; run it as the user who made the cluster", e);
    }
  }

  /** Makes the cluster. The lock is held. */
  void create(PostgresInstallation postgresInstallation) throws IOException {
    sweep();
    Path fresh = Files.createTempDirectory(root, "new-");
    give(fresh, postgresInstallation);
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    String password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    secret(fresh.resolve("pgpass"), "%s:*:*:%s:%s%n".formatted(HOST, USER, password));
    Path plain = secret(fresh.resolve("password"), password);
    give(plain, postgresInstallation);
    Program.ExitResult initdb =
        postgresInstallation.run(
            fresh,
            "initdb",
            "--pgdata=data",
            "--username=" + USER,
            "--pwfile=password",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--data-checksums");
    Files.delete(plain);
    if (!initdb.succeeded()) {
      delete(fresh);
      throw new ClusterException(
          "initdb can't make a cluster in " + root + ":\n" + initdb.outputTail());
    }
    Path settings = fresh.resolve("data/postgresql.conf");
    Files.writeString(settings, SETTINGS, StandardOpenOption.APPEND);
    Files.move(fresh, cluster(), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(root, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  /**
   * Creates the directory, readable by its owner only. Another user may have prepared an existing
   * one: root must not give away the target of a link, nor trust contents that another user has put
   * there.
   */
  void prepare(PostgresInstallation postgresInstallation) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(root.toAbsolutePath().getParent());
      Files.createDirectory(root, PosixFilePermissions.asFileAttribute(OWNERS_ONLY));
    }
    check(postgresInstallation);
    Files.getFileAttributeView(root, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setPermissions(OWNERS_ONLY);
    give(root, postgresInstallation);
    if (!postgresInstallation.canWriteTo(root)) {
      throw new ClusterException(unreachable(postgresInstallation));
    }
  }

  private void check(PostgresInstallation postgresInstallation) throws IOException {
    if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      throw new ClusterException(
          root + " is a link or a file, not a directory; remove it, or choose another --data");
    }
    UserPrincipal owner = Files.getOwner(root, LinkOption.NOFOLLOW_LINKS);
    // The entry of this process in /proc belongs to the user it runs as.
    if (!owner.equals(Files.getOwner(Path.of("/proc/self")))
        && (postgresInstallation.user().isEmpty()
            || !owner.equals(user(postgresInstallation.user().get())))) {
      throw new ClusterException(
          "%s belongs to %s; run this as that user, or choose another --data"
              .formatted(root, owner));
    }
  }

  private String unreachable(PostgresInstallation postgresInstallation) throws IOException {
    return postgresInstallation
        .user()
        .map(
            user ->
                "PostgreSQL refuses to run as root, and the user %s, as whom it would run, can't get into %s; choose another --data, such as /var/lib/tidemark, or run this as another user"
                    .formatted(user, root))
        .orElse(
            "%s belongs to %s; run this as that user, or choose another --data"
                .formatted(root, Files.getOwner(root)));
  }

  private void give(Path file, PostgresInstallation postgresInstallation) throws IOException {
    if (postgresInstallation.user().isPresent()) {
      Files.getFileAttributeView(file, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .setOwner(user(postgresInstallation.user().get()));
    }
  }

  private UserPrincipal user(String name) throws IOException {
    return root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
  }

  private static Path secret(Path file, String text) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, text);
  }

  /**
   * Removes clusters that were never finished. One that a process still writes to is left for the
   * next sweep.
   */
  private void sweep() throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(root, "new-*")) {
      for (Path each : left) {
        try {
          delete(each);
        } catch (DirectoryNotEmptyException e) {
          LOG.debug("{} is still being written to", each, e);
        }
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(directory)) {
      files = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
