// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs of one installed PostgreSQL.
 *
 * @param directory the directory of the programs
 * @param major its version: 15, 16, ...
 * @param user the user that they are run as; empty when it is the user of this process
 */
record PostgresInstallation(Path directory, int major, Optional<String> user) {

  static final int OLDEST = 15;

  /** Returns whether its servers can have PostGIS, judging by the installed files. */
  boolean hasPostgis() {
    Path debian = Path.of("/usr/share/postgresql", Integer.toString(major));
    Path prefix = directory.toAbsolutePath().resolveSibling("share");
    return Stream.of(debian, prefix, prefix.resolve("postgresql"))
        .anyMatch(share -> Files.exists(share.resolve("extension/postgis.control")));
  }

  /** Runs one of the programs, as the user that owns the server. */
  Program.ExitResult run(Path where, String program, String... arguments) {
    List<String> command = new ArrayList<>(asUser());
    command.add(directory.resolve(program).toString());
    command.addAll(List.of(arguments));
    return new Program(command, where, Map.of("LC_ALL", "C")).run();
  }

  /** Returns whether that user can create files in a directory. */
  boolean canWriteTo(Path where) {
    List<String> command = new ArrayList<>(asUser());
    command.addAll(List.of("test", "-w", where.toString()));
    return new Program(command, Path.of("/"), Map.of()).run().succeeded();
  }

  private List<String> asUser() {
    return user.map(name -> List.of("setpriv", "--reuid", name, "--regid", name, "--init-groups"))
        .orElse(List.of());
  }
}
