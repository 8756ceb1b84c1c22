// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.natives;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Directory for files that can be made again, which the processes of a user share. */
public final class CacheDirectory {

  static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

  private CacheDirectory() {}

  /** Returns {@code $XDG_CACHE_HOME/tidemark}, or {@code ~/.cache/tidemark}. */
  public static Path standard() {
    return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home", "."), ".cache"))
        .resolve("tidemark")
        .toAbsolutePath();
  }

  /**
   * Makes a directory of the cache and those above it, as far as they are missing. Whatever the
   * process's umask, only the user has rights in what is made.
   */
  public static Path make(Path directory) throws IOException {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        posix
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
            : new FileAttribute<?>[0];
    return Files.createDirectories(directory, attributes);
  }
}
