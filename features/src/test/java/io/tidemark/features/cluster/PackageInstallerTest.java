// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine that is made of scripts, since the packages of the real one are none of our business.
 */
class PackageInstallerTest {

  @TempDir private Path directory;

  private final List<String> told = new ArrayList<>();

  private PackageInstaller packages(boolean root) {
    HostEnvironment hostEnvironment =
        new HostEnvironment(directory.resolve("debian"), List.of(directory.resolve("bin")), root);
    return new PackageInstaller(hostEnvironment, directory.resolve("etc/createcluster.d"));
  }

  private void script(String path, String text) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void server(int major) throws IOException {
    String bin = "debian/" + major + "/bin/";
    script(bin + "initdb", "");
    script(bin + "pg_ctl", "");
    script(bin + "postgres", "echo 'postgres (PostgreSQL) " + major + ".1 (Debian)'");
  }

  private void postgis(int major) throws IOException {
    script("debian/" + major + "/share/extension/postgis.control", "");
  }

  /** Notes what it is told and whether a cluster would be made, and makes a server. */
  private void apt() throws IOException {
    script(
        "bin/apt-get",
        """
        cd %s
        echo "$@" $(cat etc/createcluster.d/*) >> apt.log
        if [ "$3" = install ]; then
          mkdir -p debian/99/bin debian/99/share/extension
          touch debian/99/share/extension/postgis.control
          for each in initdb pg_ctl postgres; do
            printf '#!/bin/sh\\necho "postgres (PostgreSQL) 99.1"\\n' > debian/99/bin/$each
            chmod +x debian/99/bin/$each
          done
        fi
        """
            .formatted(directory));
  }

  @Test
  void theNewestServerWithPostgisIsTaken() throws IOException {
    server(91);
    server(92);
    server(93);
    postgis(91);
    postgis(92);
    assertThat(packages(false).ensureInstalled(told::add).major()).isEqualTo(92);
    assertThat(told).isEmpty();
  }

  @Test
  void whatIsMissingIsSaidToThoseWhoCantInstallIt() throws IOException {
    assertThatThrownBy(() -> packages(true).ensureInstalled(told::add))
        .isInstanceOf(ClusterException.class)
        .hasMessageEndingWith("install what Debian calls postgresql postgresql-postgis");
    apt();
    assertThatThrownBy(() -> packages(false).ensureInstalled(told::add))
        .hasMessageEndingWith(
            "run: sudo apt-get install --no-install-recommends postgresql postgresql-postgis");
    server(99);
    assertThatThrownBy(() -> packages(false).ensureInstalled(told::add))
        .hasMessageEndingWith("postgresql-99-postgis-3");
    server(14);
    postgis(14);
    assertThatThrownBy(() -> packages(false).ensureInstalled(told::add))
        .hasMessageContaining("-99-");
  }

  @Test
  void rootInstallsThemWithoutLeavingAServerBehind() throws IOException {
    apt();
    assertThat(packages(true).ensureInstalled(told::add).major()).isEqualTo(99);
    assertThat(told).containsExactly("installing postgresql postgresql-postgis ...");
    assertThat(directory.resolve("apt.log"))
        .content()
        .isEqualTo(
            """
            -o DPkg::Lock::Timeout=300 update create_main_cluster = false
            -o DPkg::Lock::Timeout=300 install -y --no-install-recommends postgresql \
            postgresql-postgis create_main_cluster = false
            """);
    assertThat(directory.resolve("etc/createcluster.d")).isEmptyDirectory();
  }

  @Test
  void anInstallationThatFailsTellsWhatAptSaid() throws IOException {
    script("bin/apt-get", "echo 'E: no network'; exit 100");
    assertThatThrownBy(() -> packages(true).ensureInstalled(told::add))
        .isInstanceOf(ClusterException.class)
        .hasMessage("apt-get update failed; install them by hand\nE: no network");
  }
}
