// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.directory.LogRecord.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Recovery of the logs of dead processes, run before anything is read or written.
 *
 * <p><b>In the same boot</b> nothing is lost: what a process wrote, the kernel has. The files that
 * its log speaks of are synced and the log is removed. What it had logged but not carried out when
 * it died was never acknowledged, and is not done now either: other processes may have read since.
 *
 * <p><b>After another boot</b> files may be older than the log says, torn, or gone. Of the records
 * of a key, in all logs, the last one tells what it should be. But a file can be newer than that
 * one, if it was written without the log (large ones are) or if the log it was in has been settled.
 * It is newer when it is none of the versions that the key's records speak of, and has a later time
 * than the last of them, since the times of a key only grow. Such a file is whole; it stays.
 * Anything else is replaced by what the record says: same bytes, same time, so same ETag.
 *
 * <p>All of this can be done again from the start if it is broken off: logs go last.
 */
final class Recovery {

  private final WriteCoordinator room;
  private final ObjectFiles files;
  private final LogFolder folder;
  private final LogCheckpoint logCheckpoint;
  private final HostOps hostOps;

  Recovery(
      WriteCoordinator room,
      Path root,
      LogFolder folder,
      LogCheckpoint logCheckpoint,
      HostOps hostOps) {
    this.room = room;
    Path top = root.getParent() == null ? root : root.getParent();
    this.files = new ObjectFiles(root, new DirectorySync(root, top, hostOps));
    this.folder = folder;
    this.logCheckpoint = logCheckpoint;
    this.hostOps = hostOps;
  }

  void run() throws IOException {
    if (!dead().isEmpty()) {
      room.runExclusively(() -> recover(dead()));
    }
  }

  private List<Path> dead() throws IOException {
    List<Path> dead = new ArrayList<>();
    for (Path path : folder.segmentsOfOthers()) {
      if (room.isDead(LogFolder.owner(path))) {
        dead.add(path);
      }
    }
    return dead;
  }

  private void recover(List<Path> dead) throws IOException {
    List<LogContents> logs = LogFolder.read(dead);
    Map<String, Long> newest = new HashMap<>();
    logs.forEach(log -> log.records().forEach(r -> newest.merge(r.key(), r.order(), Math::max)));
    if (logs.stream().anyMatch(log -> !log.boot().equals(hostOps.boot()))) {
      replay(newest.keySet());
    }
    logCheckpoint.sync(newest.keySet());
    logCheckpoint.removeRecords(newest, dead, () -> folder.remove(dead));
  }

  private void replay(Set<String> keys) throws IOException {
    Map<String, List<LogRecord>> histories = histories(keys);
    for (Map.Entry<String, List<LogRecord>> history : histories.entrySet()) {
      try (WriteCoordinator.KeyLock keyLock = room.lock(history.getKey())) {
        replay(history.getKey(), history.getValue());
      }
    }
  }

  /** Returns the records of each key that count, in order; those that were settled don't. */
  private Map<String, List<LogRecord>> histories(Set<String> keys) throws IOException {
    List<LogContents> all = new ArrayList<>(LogFolder.read(folder.segments()));
    Set<Aborted> aborted = new HashSet<>();
    for (LogContents log : all) {
      log.records().stream()
          .filter(r -> r.kind() == Kind.ABORTED)
          .forEach(r -> aborted.add(new Aborted(LogFolder.owner(log.path()), r.order())));
    }
    Map<String, Long> settled = new HashMap<>();
    for (LogContents note : folder.notes()) {
      note.records().forEach(r -> settled.merge(r.key(), r.order(), Math::max));
    }
    Map<String, List<LogRecord>> histories = new HashMap<>();
    for (LogContents log : all) {
      long owner = LogFolder.owner(log.path());
      log.records().stream()
          .filter(r -> keys.contains(r.key()))
          .filter(r -> !aborted.contains(new Aborted(owner, r.order())))
          .filter(r -> r.order() > settled.getOrDefault(r.key(), Long.MIN_VALUE))
          .forEach(r -> histories.computeIfAbsent(r.key(), k -> new ArrayList<>()).add(r));
    }
    histories.values().forEach(h -> h.sort(Comparator.comparingLong(LogRecord::order)));
    return histories;
  }

  /** A record that wasn't carried out; orders are unique in a process. */
  private record Aborted(long owner, long order) {}

  private void replay(String key, List<LogRecord> history) throws IOException {
    Path file = files.of(key);
    LogRecord last = history.get(history.size() - 1);
    Optional<FileVersion> found = ObjectFiles.versionOf(file);
    if (found.isPresent() && isNewer(found.get().stampMicros(), last, history)) {
      return;
    }
    if (last.kind() == Kind.PUT) {
      write(file, last);
    } else if (found.isPresent()) {
      files.remove(key);
      files.removeEmptyParents(file);
    }
  }

  private static boolean isNewer(long stamp, LogRecord last, Collection<LogRecord> history) {
    return stamp > Math.max(last.stamp(), last.before())
        && history.stream().noneMatch(r -> r.stamp() == stamp || r.before() == stamp);
  }

  /** Writes a file from its record; it is synced with all other files in the end. */
  private void write(Path file, LogRecord record) throws IOException {
    Path temporary = room.newTemporaryFile();
    try (OutputStream out = Files.newOutputStream(temporary)) {
      Channels.newChannel(out).write(record.body().duplicate());
    }
    Files.setLastModifiedTime(temporary, FileVersion.fileTime(record.stamp()));
    files.moveIntoPlace(temporary, file);
  }
}
