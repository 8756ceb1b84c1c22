// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file with new bytes that takes the place of another, which is kept to be used again. */
final class Replacement implements LoggedWrites.Step, AutoCloseable {

  private final Spares spares;
  private final ObjectFiles files;
  private final Path file;
  private final byte[] bytes;
  private final Version version;
  private boolean keepsOld;

  /** The new file until it is in place. */
  private Optional<Path> fresh = Optional.empty();

  Replacement(Spares spares, ObjectFiles files, Path file, byte[] bytes, Version version) {
    this.spares = spares;
    this.files = files;
    this.file = file;
    this.bytes = bytes;
    this.version = version;
  }

  /** To be called when there is a file to be replaced that may be used again. */
  void keepOld() {
    keepsOld = true;
  }

  @Override
  public void prepare() throws IOException {
    fresh = Optional.of(spares.write(bytes, version));
  }

  @Override
  public void complete() throws IOException {
    Optional<Path> old = keepsOld ? spares.keep(file) : Optional.empty();
    try {
      files.moveIntoPlace(fresh.orElseThrow(), file);
      fresh = Optional.empty();
    } catch (IOException e) {
      if (old.isPresent()) {
        Files.deleteIfExists(old.get());
      }
      throw e;
    }
    old.ifPresent(spares::add);
  }

  /** Removes what was prepared and not completed. */
  @Override
  public void close() throws IOException {
    if (fresh.isPresent()) {
      Files.deleteIfExists(fresh.get());
    }
  }
}
