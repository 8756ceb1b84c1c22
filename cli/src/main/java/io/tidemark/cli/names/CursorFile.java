// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import io.tidemark.names.RefusedException;
import io.tidemark.names.watch.WatchCheckpoint;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** File with the checkpoint of a watch; written atomically. */
final class CursorFile {

  private final Path file;

  CursorFile(Path file) {
    this.file = file.toAbsolutePath();
  }

  /** Reads the checkpoint; empty when there is no such file. */
  Optional<WatchCheckpoint> read() {
    try {
      return Optional.of(WatchCheckpoint.parse(Files.readString(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new RefusedException(
          "can't read " + file + " (" + e + "), to go on from there; choose another --cursor");
    } catch (TidemarkException e) {
      throw new RefusedException(
          "can't go on from " + file + ": " + e.getMessage() + " (remove it to begin anew)");
    }
  }

  void write(WatchCheckpoint stand) {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.writeString(part, stand.toJson());
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new RefusedException(
          "can't write "
              + file
              + " ("
              + e
              + "), so the watch couldn't go on from here later;"
              + " choose another file for --cursor");
    }
  }
}
