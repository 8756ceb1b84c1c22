// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Installer of the Debian packages that a private cluster needs. If they can't be installed, the
 * error names them.
 *
 * @param machine the environment to install into
 * @param settings the directory in which PostgreSQL's package looks for settings of the cluster
 *     that it makes
 */
record PackageInstaller(HostEnvironment machine, Path settings) {

  private static final Path DEBIAN = Path.of("/etc/postgresql-common/createcluster.d");
  private static final List<String> PATIENTLY = List.of("-o", "DPkg::Lock::Timeout=300");

  static PackageInstaller of(HostEnvironment hostEnvironment) {
    return new PackageInstaller(hostEnvironment, DEBIAN);
  }

  /**
   * Returns a PostgreSQL that is new enough and has PostGIS; installs it if necessary.
   *
   * @param told gets a message before each step that takes long
   */
  PostgresInstallation ensureInstalled(Consumer<String> told) {
    Optional<PostgresInstallation> there = usable();
    if (there.isPresent()) {
      return there.get();
    }
    List<String> missing = missing();
    String names = String.join(" ", missing);
    Optional<Path> apt = machine.find("apt-get");
    if (apt.isEmpty()) {
      throw new ClusterException(
          "there is no PostgreSQL "
              + PostgresInstallation.OLDEST
              + " or later with PostGIS on this machine; install what Debian calls "
              + names);
    }
    if (!machine.root()) {
      throw new ClusterException(
          "packages are missing; run: sudo apt-get install --no-install-recommends " + names);
    }
    told.accept("installing " + names + " ...");
    install(apt.get(), missing);
    return usable()
        .orElseThrow(
            () ->
                new ClusterException(
                    "there is still no PostgreSQL with PostGIS after installing "
                        + names
                        + "; install them by hand"));
  }

  private Optional<PostgresInstallation> usable() {
    return machine.installed().stream()
        .filter(
            postgresInstallation ->
                postgresInstallation.major() >= PostgresInstallation.OLDEST
                    && postgresInstallation.hasPostgis())
        .findFirst();
  }

  private List<String> missing() {
    return machine.installed().stream()
        .filter(postgresInstallation -> postgresInstallation.major() >= PostgresInstallation.OLDEST)
        .findFirst()
        .map(
            postgresInstallation ->
                List.of("postgresql-" + postgresInstallation.major() + "-postgis-3"))
        .orElse(List.of("postgresql", "postgresql-postgis"));
  }

  private void install(Path apt, List<String> packages) {
    // Without this, a first installation would leave an unwanted server running.
    Path quiet = settings.resolve("tidemark.conf");
    try {
      Files.createDirectories(settings);
      Files.writeString(quiet, "create_main_cluster = false\n");
      try {
        run(apt, List.of("update"));
        List<String> install = new ArrayList<>(List.of("install", "-y", "--no-install-recommends"));
        install.addAll(packages);
        run(apt, install);
      } finally {
        Files.deleteIfExists(quiet);
      }
    } catch (IOException e) {
      throw new ClusterException("can't prepare the installation in " + settings + ": " + e, e);
    }
  }

  private static void run(Path apt, List<String> words) {
    List<String> command = new ArrayList<>(List.of(apt.toString()));
    command.addAll(PATIENTLY);
    command.addAll(words);
    Map<String, String> silent = Map.of("DEBIAN_FRONTEND", "noninteractive");
    Program.ExitResult exitResult = new Program(command, Path.of("/"), silent).run();
    if (!exitResult.succeeded()) {
      throw new ClusterException(
          "apt-get "
              + String.join(" ", words)
              + " failed; install them by hand\n"
              + exitResult.outputTail());
    }
  }
}
