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
 * The programs of one PostgreSQL.
 *
 * @param directory where they are
 * @param major its version: 15, 16, ...
 * @param user whom they are run as; empty when it is the one who runs this process
 */
record PostgresInstallation(Path directory, int major, Optional<String> user) {

  static final int OLDEST = 15;

  /** Whether its servers can have PostGIS, as far as files tell. */
  boolean hasPostgis() {
    Path debian = Path.of("/usr/share/postgresql", Integer.toString(major));
    Path prefix = directory.toAbsolutePath().resolveSibling("share");
    return Stream.of(debian, prefix, prefix.resolve("postgresql"))
        .anyMatch(share -> Files.exists(share.resolve("extension/postgis.control")));
  }

  /** Runs one of them, as the user whom the server belongs to. */
  Program.ExitResult run(Path where, String program, String... arguments) {
    List<String> command = new ArrayList<>(asUser());
    command.add(directory.resolve(program).toString());
    command.addAll(List.of(arguments));
    return new Program(command, where, Map.of("LC_ALL", "C")).run();
  }

  /** Whether that user can make files in a directory. */
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
