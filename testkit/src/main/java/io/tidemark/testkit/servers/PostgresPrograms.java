// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The programs of the newest PostgreSQL on this machine, and the user to run them as: PostgreSQL
 * refuses to run as root, so there they run as {@code postgres}, whom Debian's package creates.
 *
 * @param directory where they are
 */
record PostgresPrograms(Path directory) {

  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final String UNPRIVILEGED_USER = "postgres";
  private static final String REMEDY =
      "on Debian 12 run: apt-get install -y postgresql-15 postgresql-15-postgis-3";

  static PostgresPrograms find() {
    List<Path> candidates = new ArrayList<>(ofDebian());
    for (String entry : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      candidates.add(Path.of(entry));
    }
    return candidates.stream()
        .filter(candidate -> Files.isExecutable(candidate.resolve("initdb")))
        .filter(candidate -> Files.isExecutable(candidate.resolve("postgres")))
        .findFirst()
        .map(PostgresPrograms::new)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "there is no PostgreSQL in " + DEBIAN + " or on the PATH; " + REMEDY));
  }

  /** What to say when the server is there and PostGIS isn't. */
  static String missingPostgis() {
    return "this PostgreSQL can't create the extension postgis; " + REMEDY;
  }

  /** The newest first. */
  private static List<Path> ofDebian() {
    if (!Files.isDirectory(DEBIAN)) {
      return List.of();
    }
    List<Path> versions = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(DEBIAN, "[0-9]*")) {
      found.forEach(versions::add);
    } catch (IOException e) {
      throw new UncheckedIOException("can't look for PostgreSQL in " + DEBIAN, e);
    }
    return versions.stream()
        .sorted(Comparator.comparingInt(PostgresPrograms::major).reversed())
        .map(version -> version.resolve("bin"))
        .toList();
  }

  private static int major(Path version) {
    String digits = version.getName(version.getNameCount() - 1).toString().replaceAll("\\D.*", "");
    return Integer.parseInt(digits);
  }

  /** The user whom files must belong to; empty when it is the one who runs this JVM. */
  static Optional<String> owner() {
    boolean root = System.getProperty("user.name").equals("root");
    return root ? Optional.of(UNPRIVILEGED_USER) : Optional.empty();
  }

  /**
   * A command that runs a program as it must be run. The process is the program itself, with no
   * shell between, and is told to quit when the thread that started it ends, so that it can't
   * outlive this JVM, however that ends.
   */
  List<String> command(String program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("setpriv", "--pdeathsig", "QUIT"));
    owner()
        .ifPresent(
            user -> command.addAll(List.of("--reuid", user, "--regid", user, "--init-groups")));
    command.add(directory.resolve(program).toString());
    command.addAll(arguments);
    return command;
  }
}
