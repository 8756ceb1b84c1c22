// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file with new bytes that takes the place of another, which is kept to be used again. */
final class FileReplacement implements LoggedWrites.Step, AutoCloseable {

  private final RecycledFiles recycledFiles;
  private final ObjectFiles files;
  private final Path file;
  private final byte[] bytes;
  private final FileVersion fileVersion;
  private boolean keepsOld;

  /** The new file until it is in place. */
  private Optional<Path> fresh = Optional.empty();

  FileReplacement(
      RecycledFiles recycledFiles,
      ObjectFiles files,
      Path file,
      byte[] bytes,
      FileVersion fileVersion) {
    this.recycledFiles = recycledFiles;
    this.files = files;
    this.file = file;
    this.bytes = bytes;
    this.fileVersion = fileVersion;
  }

  /** To be called when there is a file to be replaced that may be used again. */
  void recycleOld() {
    keepsOld = true;
  }

  @Override
  public void prepare() throws IOException {
    fresh = Optional.of(recycledFiles.write(bytes, fileVersion));
  }

  @Override
  public void complete() throws IOException {
    Optional<Path> old = keepsOld ? recycledFiles.retain(file) : Optional.empty();
    try {
      files.moveIntoPlace(fresh.orElseThrow(), file);
      fresh = Optional.empty();
    } catch (IOException e) {
      if (old.isPresent()) {
        Files.deleteIfExists(old.get());
      }
      throw e;
    }
    old.ifPresent(recycledFiles::add);
  }

  /** Removes what was prepared and not completed. */
  @Override
  public void close() throws IOException {
    if (fresh.isPresent()) {
      Files.deleteIfExists(fresh.get());
    }
  }
}
