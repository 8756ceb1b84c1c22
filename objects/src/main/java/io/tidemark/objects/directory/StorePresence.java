// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.StoreGoneException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Tells a directory that was never made from one that was there and is gone. Both have no files,
 * but only the first one is an empty store.
 *
 * <p>The lock file is the sign of a store that Tidemark has written. A disk that is unmounted
 * leaves the directory in which it was mounted, but not that file. A directory of another program
 * has no lock file; of such a store only the directory itself is known.
 */
final class StorePresence {

  private final Path root;
  private final Path lock;
  private volatile boolean rootSeen;
  private volatile boolean lockSeen;

  StorePresence(Path root) {
    this.root = root;
    this.lock = WriterRoom.lockPath(root.resolve(WriterRoom.FOLDER));
  }

  /**
   * Looks at the directory, and remembers that it is there.
   *
   * @throws StoreGoneException when it was there before
   */
  void requireNotGone() throws IOException {
    // Read before the files: another thread may make them, and see them, during the look.
    boolean lockKnown = lockSeen;
    boolean rootKnown = rootSeen;
    if (exists(lock)) {
      lockSeen = true;
      rootSeen = true;
    } else if (lockKnown) {
      throw gone();
    } else if (exists(root)) {
      rootSeen = true;
    } else if (rootKnown) {
      throw gone();
    }
  }

  /** Whether the directory was there at some time, so that its absence would show. */
  boolean isSeen() {
    return rootSeen;
  }

  /** Whether there is a store: a mount point without its disk is an empty directory. */
  boolean isThere() throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      return entries.iterator().hasNext();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private StoreGoneException gone() {
    return new StoreGoneException(
        "the store in "
            + root
            + " was there and is gone; mount or restore the directory, or open the store anew if"
            + " it is meant to be empty");
  }

  private static boolean exists(Path path) throws IOException {
    try {
      Files.readAttributes(path, BasicFileAttributes.class);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
