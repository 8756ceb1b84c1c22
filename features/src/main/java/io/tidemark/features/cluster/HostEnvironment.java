// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The environment on this machine in which PostgreSQL is found and run.
 *
 * @param debian the directory in which Debian keeps the programs of PostgreSQL, a folder each
 *     version
 * @param path the folders in which other programs are
 * @param root whether this process runs as root, as which PostgreSQL would refuse to run
 */
record HostEnvironment(Path debian, List<Path> path, boolean root) {

  private static final List<String> NEEDED = List.of("initdb", "pg_ctl", "postgres");
  private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");

  /** The user that Debian's package creates for running PostgreSQL. */
  private static final String UNPRIVILEGED = "postgres";

  static HostEnvironment local() {
    String path = System.getenv().getOrDefault("PATH", "");
    return new HostEnvironment(
        Path.of("/usr/lib/postgresql"),
        Arrays.stream(path.split(File.pathSeparator, -1))
            .filter(folder -> !folder.isEmpty())
            .map(Path::of)
            .toList(),
        System.getProperty("user.name").equals("root"));
  }

  /** Returns the installed versions of PostgreSQL, newest first. */
  List<PostgresInstallation> installed() {
    List<Path> folders = new ArrayList<>(versions());
    folders.addAll(path);
    return folders.stream()
        .filter(HostEnvironment::isComplete)
        .map(folder -> new PostgresInstallation(folder, major(folder), user()))
        .filter(postgresInstallation -> postgresInstallation.major() > 0)
        .sorted(Comparator.comparingInt(PostgresInstallation::major).reversed())
        .toList();
  }

  /** Returns the path of a program. */
  Optional<Path> find(String program) {
    return path.stream()
        .map(folder -> folder.resolve(program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Returns the user that servers run as and that owns their files; empty when it is the user of
   * this process.
   */
  Optional<String> user() {
    return root ? Optional.of(UNPRIVILEGED) : Optional.empty();
  }

  private List<Path> versions() {
    if (!Files.isDirectory(debian)) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(debian, "[0-9]*")) {
      folders.forEach(folder -> found.add(folder.resolve("bin")));
    } catch (IOException e) {
      throw new UncheckedIOException("can't look for PostgreSQL in " + debian, e);
    }
    return found;
  }

  private static boolean isComplete(Path folder) {
    return NEEDED.stream().allMatch(name -> Files.isExecutable(folder.resolve(name)));
  }

  /** Returns the major version that the programs report; 0 when they report none. */
  private static int major(Path folder) {
    List<String> command = List.of(folder.resolve("postgres").toString(), "--version");
    Matcher version = VERSION.matcher(new Program(command, Path.of("/"), Map.of()).run().output());
    return version.find() ? Integer.parseInt(version.group(1)) : 0;
  }
}
