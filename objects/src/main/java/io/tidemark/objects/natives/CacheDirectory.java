// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.natives;

import java.nio.file.Path;
import java.util.Optional;

/** Directory for files that can be made again, which the processes of a user share. */
public final class CacheDirectory {

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
}
