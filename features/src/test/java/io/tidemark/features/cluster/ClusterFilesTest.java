// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose directory a private cluster takes, when others can write where it is to be. */
class ClusterFilesTest {

  private static final PostgresInstallation OWN =
      new PostgresInstallation(Path.of("/usr/bin"), 15, Optional.empty());

  @TempDir private Path parent;

  @Test
  void aLinkThatSomebodyHasPreparedIsNotFollowed() throws IOException {
    Path target = Files.createDirectory(parent.resolve("etc"));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path link = Files.createSymbolicLink(parent.resolve(".postgres"), target);

    assertThatThrownBy(() -> new ClusterFiles(link).prepare(OWN))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(".postgres is a link or a file, not a directory; remove it");

    assertThat(Files.getPosixFilePermissions(target))
        .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void aDirectoryOfSomebodyElseIsRefused() throws IOException {
    Path theirs = Path.of("/usr");
    if (Files.getOwner(parent).equals(Files.getOwner(theirs))) {
      theirs = Files.createDirectory(parent.resolve("theirs")); // root can give one away
      Files.setAttribute(theirs, "unix:uid", 54_321);
    }
    ClusterFiles files = new ClusterFiles(theirs);

    assertThatThrownBy(() -> files.prepare(OWN))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("run this as that user, or choose another --data");
  }

  @Test
  void onlyItsOwnerMayLookIntoADirectoryThatWasThere() throws IOException {
    Path open = Files.createDirectory(parent.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

    new ClusterFiles(open).prepare(OWN);

    assertThat(Files.getPosixFilePermissions(open))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }
}
