// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checkpoint of a log: once the files that its records describe are durable as they are, the
 * records can be removed.
 *
 * <p>With one exception. If another segment has an older record of the same key, it must not be
 * taken for the truth when only it is left; nor must a record of the same order, which is a write
 * that one of these has taken back. So before records go, a note is left that says of which keys
 * all records up to which order are done with. A note goes when there are no such records any more.
 * That also makes the removal of several logs atomic: their keys are noted first.
 */
final class LogCheckpoint {

  /** Removal of records. */
  interface Removal {
    void run() throws IOException;
  }

  private final Path root;
  private final LogFolder folder;
  private final HostOps hostOps;

  LogCheckpoint(Path root, LogFolder folder, HostOps hostOps) {
    this.root = root;
    this.folder = folder;
    this.hostOps = hostOps;
  }

  /** Makes the objects durable as they are, be it that they are gone. */
  void sync(Collection<String> keys) throws IOException {
    Path top = root.getParent() == null ? root : root.getParent();
    DirectorySync directories = new DirectorySync(root, top, hostOps);
    ObjectFiles files = new ObjectFiles(root, directories);
    Set<Path> changed = new HashSet<>();
    for (String key : keys) {
      Path file = files.of(key);
      changed.add(ObjectFiles.directoryOf(file));
      if (Files.isRegularFile(file)) {
        syncFile(file);
      }
    }
    for (Path directory : changed) {
      directories.sync(directory);
    }
  }

  private void syncFile(Path file) throws IOException {
    try {
      hostOps.sync(file);
    } catch (NoSuchFileException e) {
      // Deleted just now, which is in a log of its own.
    }
  }

  /**
   * Takes records away whose files are durable. Only for one at a time, of all processes.
   *
   * @param newest the keys of these records, each with the order of the last
   * @param leaving the files that go, or are emptied
   */
  void removeRecords(Map<String, Long> newest, List<Path> leaving, Removal removal)
      throws IOException {
    Map<String, Long> oldest = oldest(without(leaving.size() == 1 ? leaving : List.of()));
    Map<String, Long> needed = new HashMap<>(newest);
    needed.entrySet().removeIf(e -> oldest.getOrDefault(e.getKey(), Long.MAX_VALUE) > e.getValue());
    if (!needed.isEmpty()) {
      folder.writeNote(needed);
    }
    removal.run();
    dropNotes();
  }

  private List<LogContents> without(List<Path> leaving) throws IOException {
    return LogFolder.read(
        folder.segments().stream().filter(path -> !leaving.contains(path)).toList());
  }

  private void dropNotes() throws IOException {
    List<LogContents> notes = folder.notes();
    if (notes.isEmpty()) {
      return;
    }
    Map<String, Long> oldest = oldest(LogFolder.read(folder.segments()));
    folder.remove(
        notes.stream()
            .filter(note -> note.records().stream().noneMatch(r -> isNeeded(oldest, r)))
            .map(LogContents::path)
            .toList());
  }

  /** Returns whether a record is left that the note speaks of. */
  private static boolean isNeeded(Map<String, Long> oldest, LogRecord note) {
    return oldest.getOrDefault(note.key(), Long.MAX_VALUE) <= note.order();
  }

  private static Map<String, Long> oldest(List<LogContents> logs) {
    Map<String, Long> oldest = new HashMap<>();
    for (LogContents log : logs) {
      log.records().forEach(r -> oldest.merge(r.key(), r.order(), Math::min));
    }
    return oldest;
  }
}
