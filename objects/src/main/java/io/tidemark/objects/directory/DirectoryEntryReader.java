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
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The names in a directory, with none left out that was there all the time.
 *
 * <p>A small directory is read in one step. A large one takes several, and some file systems
 * (Btrfs, tmpfs) give a name whose file is replaced meanwhile a new place, where the reader no
 * longer comes by. So a large directory that may have changed while it was read is read again, at
 * last with all writers held off. What any of the readings has seen counts; whether it is still
 * there shows when it is looked up.
 */
final class DirectoryEntryReader {

  /** Lock that keeps the writers of the directory store out until it is closed. */
  interface WriterLock {
    WriteCoordinator.AllKeysLock lockAll() throws IOException;
  }

  /** Well below what the kernel hands out in one step. */
  private static final int SMALL = 256;

  private static final int FREE_READINGS = 3;

  /** The clock that stamps directories may tick as slowly as this. */
  private static final Duration TICK = Duration.ofMillis(20);

  private final WriterLock writerLock;

  DirectoryEntryReader(WriterLock writerLock) {
    this.writerLock = writerLock;
  }

  /** Hands out the names, in no order and some of them twice; none if there is no directory. */
  void forEach(Path directory, Consumer<String> taker) throws IOException {
    try {
      for (int i = 0; i < FREE_READINGS; i++) {
        FileTime before = Files.getLastModifiedTime(directory);
        if (read(directory, taker) <= SMALL || isUnchanged(directory, before)) {
          return;
        }
      }
      readAlone(directory, taker);
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Removed since it was seen, or never there: what was read of it is gone.
    }
  }

  private static boolean isUnchanged(Path directory, FileTime before) throws IOException {
    return isLongAgo(before) && Files.getLastModifiedTime(directory).equals(before);
  }

  /** A change within the tick of the clock after another would not show. */
  private static boolean isLongAgo(FileTime change) {
    return change.toInstant().plus(TICK).isBefore(Clock.systemUTC().instant());
  }

  /**
   * Returns when the directory last changed, if any change from now on will show as a later one;
   * empty as well when there is none.
   */
  static Optional<FileTime> lastChange(Path directory) throws IOException {
    try {
      return Optional.of(Files.getLastModifiedTime(directory))
          .filter(DirectoryEntryReader::isLongAgo);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    }
  }

  private void readAlone(Path directory, Consumer<String> taker) throws IOException {
    WriteCoordinator.AllKeysLock allKeysLock;
    try {
      allKeysLock = writerLock.lockAll();
    } catch (IOException e) {
      return; // a store that may only be read: the readings so far must do
    }
    try (allKeysLock) {
      read(directory, taker);
    }
  }

  /** Returns how many there were. */
  private static int read(Path directory, Consumer<String> taker) throws IOException {
    int count = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path path : entries) {
        taker.accept(path.getFileName().toString());
        count++;
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return count;
  }
}
