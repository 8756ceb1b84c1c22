// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.BackendProvider;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ObjectBackend;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Provider that opens {@code file:///dir}, or, with less durability, {@code
 * file:///dir?durability=page-cache}.
 */
public final class DirectoryBackendProvider implements BackendProvider {
  @Override
  public String scheme() {
    return "file";
  }

  @Override
  public ObjectBackend open(URI location) {
    boolean hasHost = location.getAuthority() != null;
    if (location.isOpaque() || hasHost) {
      throw new InvalidLocationException(
          "\"" + location + "\" names no directory; write file:///dir with three slashes");
    }
    if (location.getRawFragment() != null) {
      throw new InvalidLocationException(
          "\"" + location + "\" has a #; write %23 if it belongs to the directory's name");
    }
    return DirectoryBackend.open(path(location), durability(location));
  }

  private static Path path(URI location) {
    try {
      return Path.of(location.getPath());
    } catch (InvalidPathException e) {
      throw new InvalidLocationException(
          "\""
              + location
              + "\" can't be the path of a directory here ("
              + e.getReason()
              + "); write file:///dir",
          e);
    }
  }

  private static Durability durability(URI location) {
    String query = location.getQuery();
    if (query == null || query.equals("durability=sync")) {
      return Durability.SYNC;
    }
    if (query.equals("durability=page-cache")) {
      return Durability.PAGE_CACHE;
    }
    throw new InvalidLocationException(
        "\""
            + location
            + "\" has a setting that a directory doesn't know; write ?durability=sync or"
            + " ?durability=page-cache");
  }
}
