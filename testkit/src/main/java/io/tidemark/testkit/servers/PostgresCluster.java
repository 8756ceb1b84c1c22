// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The files of a cluster that nobody else has.
 *
 * @param directory a temporary directory that holds nothing else
 * @param password of its superuser, drawn anew for each cluster
 */
record PostgresCluster(Path directory, String password) {

  /** Fills the directory of a new cluster. */
  @FunctionalInterface
  private interface Filling {
    void fill(PostgresCluster cluster) throws IOException;
  }

  static PostgresCluster create(PostgresPrograms programs, String superuser, Path parent) {
    String password = UUID.randomUUID().toString();
    return make(parent, password, cluster -> cluster.initialise(programs, superuser));
  }

  /**
   * A copy of a running server that follows it from then on.
   *
   * @param source how to connect to it, in the words of PostgreSQL's programs
   * @param password the same as there
   */
  static PostgresCluster replica(
      PostgresPrograms programs, String source, String password, Path parent) {
    return make(parent, password, cluster -> cluster.copy(programs, source));
  }

  private static PostgresCluster make(Path parent, String password, Filling filling) {
    try {
      Path directory = Files.createTempDirectory(parent, "tidemark-postgres-");
      PostgresCluster cluster = new PostgresCluster(directory, password);
      try {
        filling.fill(cluster);
      } catch (IOException | RuntimeException e) {
        cluster.delete();
        throw e;
      }
      return cluster;
    } catch (IOException e) {
      throw new UncheckedIOException("a PostgreSQL cluster for tests can't be made", e);
    }
  }

  Path data() {
    return directory.resolve("data");
  }

  private void initialise(PostgresPrograms programs, String superuser) throws IOException {
    Path passwordFile = Files.writeString(directory.resolve("password"), password);
    if (PostgresPrograms.owner().isPresent()) {
      giveTo(PostgresPrograms.owner().get(), List.of(directory, passwordFile));
    }
    List<String> arguments =
        List.of(
            "--pgdata=" + data(),
            "--username=" + superuser,
            "--pwfile=" + passwordFile,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync");
    run(programs, "initdb", arguments);
  }

  private void copy(PostgresPrograms programs, String source) throws IOException {
    if (PostgresPrograms.owner().isPresent()) {
      giveTo(PostgresPrograms.owner().get(), List.of(directory));
    }
    List<String> arguments =
        List.of(
            "--dbname=" + source,
            "--pgdata=" + data(),
            "--write-recovery-conf",
            "--checkpoint=fast",
            "--no-sync");
    run(programs, "pg_basebackup", arguments);
  }

  private void run(PostgresPrograms programs, String program, List<String> arguments)
      throws IOException {
    Process process =
        new ProcessBuilder(programs.command(program, arguments))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(program + " failed: " + output);
    }
  }

  private void giveTo(String user, List<Path> files) throws IOException {
    UserPrincipal owner =
        directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
    for (Path file : files) {
      Files.setOwner(file, owner);
    }
  }

  void delete() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't delete the cluster in " + directory, e);
    }
  }
}
