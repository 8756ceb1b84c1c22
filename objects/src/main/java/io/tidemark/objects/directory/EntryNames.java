// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The names in a directory, with none left out that was there all the time.
 *
 * <p>A small directory is read in one step. A large one takes several, and some file systems
 * (Btrfs, tmpfs) give a name whose file is replaced meanwhile a new place, where the reader no
 * longer comes by. So a large directory that may have changed while it was read is read again, at
 * last with all writers held off. What any of the readings has seen counts; whether it is still
 * there shows when it is looked up.
 */
final class EntryNames {

  /** Holds off the writers of the directory store until closed. */
  interface Writers {
    WriterRoom.Quiet holdOff() throws IOException;
  }

  /** Well below what the kernel hands out in one step. */
  private static final int SMALL = 256;

  private static final int FREE_READINGS = 3;

  /** The clock that stamps directories may tick as slowly as this. */
  private static final Duration TICK = Duration.ofMillis(20);

  private final Writers writers;

  EntryNames(Writers writers) {
    this.writers = writers;
  }

  /** The names, in no order; none when there is no such directory. */
  Collection<String> of(Path directory) throws IOException {
    Set<String> names = new HashSet<>();
    try {
      for (int i = 0; i < FREE_READINGS; i++) {
        FileTime before = Files.getLastModifiedTime(directory);
        read(directory, names);
        if (names.size() <= SMALL || isUnchanged(directory, before)) {
          return names;
        }
      }
      readAlone(directory, names);
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Removed since it was seen, or never there: what was read of it is gone.
    }
    return names;
  }

  /** A change within the tick of the clock before the reading would not show. */
  private static boolean isUnchanged(Path directory, FileTime before) throws IOException {
    boolean longAgo = before.toInstant().plus(TICK).isBefore(Clock.systemUTC().instant());
    return longAgo && Files.getLastModifiedTime(directory).equals(before);
  }

  private void readAlone(Path directory, Set<String> names) throws IOException {
    WriterRoom.Quiet quiet;
    try {
      quiet = writers.holdOff();
    } catch (IOException e) {
      return; // a store that may only be read: the readings so far must do
    }
    try (quiet) {
      read(directory, names);
    }
  }

  private static void read(Path directory, Set<String> names) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path path : entries) {
        names.add(path.getFileName().toString());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}
