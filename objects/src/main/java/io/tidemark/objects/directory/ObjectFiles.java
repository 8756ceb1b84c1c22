// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The files that hold the objects, and the directories they are in, which come and go with them.
 */
final class ObjectFiles {

  /** Each repetition means that another has just deleted the last object of the directory. */
  private static final int MOVES = 1_000;

  private final Path root;
  private final DirectorySync directories;

  ObjectFiles(Path root, DirectorySync directories) {
    this.root = root;
    this.directories = directories;
  }

  /**
   * Returns the file of a key, be it there or not. A key that could be stored in two forms (see
   * {@link FileNames}) is where it is; if it was copied to the file of the other form, the newer
   * file counts; and if it is in neither, it is to be stored in plain form. Another writer may
   * change what counts, so a writer asks with the key locked.
   */
  Path of(String key) throws IOException {
    return candidateFilesOf(key).get(0);
  }

  /** Returns the files that a key may be in: the one that counts, and the other form if any. */
  List<Path> candidateFilesOf(String key) throws IOException {
    Path byRules = root.resolve(FileNames.fileOf(key));
    if (!FileNames.mayBePlain(key)) {
      return List.of(byRules);
    }
    Path plain = root.resolve(FileNames.plainFileOf(key));
    if (plain.equals(byRules)) {
      return List.of(plain);
    }
    Optional<FileVersion> old = versionOf(byRules);
    return old.isPresent() && !isNewer(versionOf(plain), old.get())
        ? List.of(byRules, plain)
        : List.of(plain, byRules);
  }

  private static boolean isNewer(Optional<FileVersion> plain, FileVersion old) {
    return plain.filter(fileVersion -> fileVersion.stampMicros() > old.stampMicros()).isPresent();
  }

  /**
   * Removes the files of a key. The one that doesn't count goes first, and durably: it would come
   * to count once it is the only one.
   */
  void remove(String key) throws IOException {
    List<Path> places = candidateFilesOf(key);
    for (Path other : places.subList(1, places.size())) {
      if (Files.deleteIfExists(other)) {
        removeEmptyParents(other);
        syncDirectoryOf(other);
      }
    }
    Files.deleteIfExists(places.get(0));
  }

  static Path directoryOf(Path file) {
    return Objects.requireNonNull(file.getParent(), "everything is below the root");
  }

  /** Empty when there is no such file. */
  static Optional<FileVersion> versionOf(Path file) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      // A directory of that name is another program's; no key is stored as one.
      return attributes.isDirectory() ? Optional.empty() : Optional.of(FileVersion.of(attributes));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void moveIntoPlace(Path temporary, Path file) throws IOException {
    for (int i = 0; ; i++) {
      try {
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        return;
      } catch (NoSuchFileException e) {
        if (i == MOVES || Files.notExists(temporary)) {
          throw e;
        }
        makeParents(file);
      }
    }
  }

  private void makeParents(Path file) throws IOException {
    try {
      Files.createDirectories(directoryOf(file));
    } catch (NoSuchFileException | FileAlreadyExistsException e) {
      // One of them was removed as empty just now (the second error: between being found and being
      // looked at), or a file is in the way; the move will tell.
    } finally {
      for (Path parent = directoryOf(file); !parent.equals(root); parent = directoryOf(parent)) {
        directories.forget(parent); // what was made anew, be it a part, is not durable yet
      }
    }
  }

  void removeEmptyParents(Path file) {
    for (Path parent = directoryOf(file); !parent.equals(root); parent = directoryOf(parent)) {
      try {
        Files.delete(parent);
        directories.forget(parent);
      } catch (IOException e) {
        return; // not empty, or being removed by another: either way not ours to remove
      }
    }
  }

  /** Returns when all that was done to the directory of a file is durable. */
  void syncDirectoryOf(Path file) throws IOException {
    directories.sync(directoryOf(file));
  }
}
