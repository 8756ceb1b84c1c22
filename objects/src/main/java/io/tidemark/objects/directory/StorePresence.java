// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.StoreGoneException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;

/**
 * Check that tells a directory that was never made from one that was there and is gone. Both have
 * no files, but only the first one is an empty store.
 *
 * <p>The lock file is the sign of a store that Tidemark has written. A disk that is unmounted
 * leaves the directory in which it was mounted, but not that file. A directory of another program
 * has no lock file; its sign is that it has entries.
 *
 * <p>The locks and the log of a writer are those of one lock file. Once another file has its name,
 * other writers lock that one, so the store counts as gone until it is opened anew, even if the
 * first file comes back.
 */
final class StorePresence {

  private final Path root;
  private final Path lock;
  private volatile boolean rootSeen;
  private volatile boolean entriesSeen;
  private volatile boolean lockSeen;
  private volatile boolean replaced;

  /** File key of the lock file that the locks of this process are on; empty before any are. */
  private volatile Optional<Object> held = Optional.empty();

  StorePresence(Path root) {
    this.root = root;
    this.lock = WriteCoordinator.lockPath(root.resolve(WriteCoordinator.FOLDER));
  }

  /** Notes the lock file that the locks are on from now on. */
  void rememberLockFile(Object lockFile) {
    held = Optional.of(lockFile);
  }

  /**
   * Looks at the directory, and remembers that it is there.
   *
   * @throws StoreGoneException when it was there before, or is another one than before
   */
  void requireNotGone() throws IOException {
    // Read before the files: another thread may make them, and see them, during the look.
    Optional<Object> known = held;
    boolean lockKnown = lockSeen;
    boolean entriesKnown = entriesSeen;
    boolean rootKnown = rootSeen;
    Optional<Object> found = fileKey(lock);
    if (replaced || (found.isPresent() && known.isPresent() && !found.equals(known))) {
      replaced = true;
      throw replaced();
    }
    if (found.isPresent()) {
      lockSeen = true;
      rootSeen = true;
    } else if (lockKnown) {
      throw hasEntries() ? lockDeleted() : gone();
    } else if (hasEntries()) {
      entriesSeen = true;
      rootSeen = true;
    } else if (entriesKnown) {
      throw gone();
    } else if (fileKey(root).isPresent()) {
      rootSeen = true;
    } else if (rootKnown) {
      throw gone();
    }
  }

  /** Returns whether a store was there at some time and no other has come since. */
  boolean isSeen() {
    return (lockSeen || entriesSeen) && !replaced;
  }

  /** Returns whether there is a store: a mount point without its disk is an empty directory. */
  boolean exists() throws IOException {
    return hasEntries();
  }

  private boolean hasEntries() throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      return entries.iterator().hasNext();
    } catch (NoSuchFileException e) {
      return false;
    } catch (AccessDeniedException e) {
      return true; // files can be read in a directory that can't be listed
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private StoreGoneException gone() {
    return new StoreGoneException(
        "the store in "
            + root
            + " was there and is gone; mount or restore the directory, or open the store anew if"
            + " it is meant to be empty");
  }

  private StoreGoneException lockDeleted() {
    return new StoreGoneException(
        "the store in "
            + root
            + " can't be used any longer: its .tidemark/lock was deleted while this process had"
            + " the store open; end all processes that have it open, start them again, and exclude"
            + " .tidemark/* from what is synced or cleaned up");
  }

  private StoreGoneException replaced() {
    return new StoreGoneException(
        "the store in "
            + root
            + " can't be used any longer: it was replaced while this process had it open, and its"
            + " .tidemark/lock is another file; end all processes that have it open, start them"
            + " again, and exclude .tidemark/* from what is synced or restored");
  }

  /** Empty when there is no such file. */
  static Optional<Object> fileKey(Path path) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return Optional.of(Objects.requireNonNullElse(attributes.fileKey(), path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
