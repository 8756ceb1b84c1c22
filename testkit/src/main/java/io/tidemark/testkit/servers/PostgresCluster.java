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

  static PostgresCluster create(PostgresPrograms programs, String superuser, Path parent) {
    try {
      Path directory = Files.createTempDirectory(parent, "tidemark-postgres-");
      PostgresCluster cluster = new PostgresCluster(directory, UUID.randomUUID().toString());
      try {
        cluster.initialise(programs, superuser);
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
    Process initdb =
        new ProcessBuilder(programs.command("initdb", arguments))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(initdb.getInputStream().readAllBytes(), UTF_8);
    if (initdb.onExit().join().exitValue() != 0) {
      throw new IOException("initdb failed: " + output);
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
