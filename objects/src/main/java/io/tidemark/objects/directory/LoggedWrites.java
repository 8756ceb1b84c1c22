// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.Condition;
import io.tidemark.objects.WriteResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Writes that are durable in the log before they are carried out. */
final class LoggedWrites {

  private final WriterRoom room;
  private final ObjectFiles files;
  private final int largestSpare;

  LoggedWrites(WriterRoom room, ObjectFiles files, int largestSpare) {
    this.room = room;
    this.files = files;
    this.largestSpare = largestSpare;
  }

  /** Empty when there is no log to be had, such as on a full disk; then nothing was done. */
  Optional<WriteResult> put(String key, byte[] bytes, Condition condition, long now)
      throws IOException {
    Path file = files.of(key);
    try (WriterRoom.Held held = room.lock(key)) {
      Optional<WriteLog> log = room.desk().log();
      if (log.isEmpty()) {
        return Optional.empty();
      }
      Optional<Version> current = ObjectFiles.versionOf(file);
      if (!condition.holds(current.map(Version::etag))) {
        return Optional.of(new WriteResult.PreconditionFailed(current.map(Version::etag)));
      }
      long stamp = Math.max(now, current.map(v -> v.stampMicros() + 1).orElse(now));
      Version version = new Version(room.newStamp(stamp), bytes.length);
      LogRecord record =
          LogRecord.put(log.get().nextOrder(), stampOf(current), version, key, bytes);
      Path temporary = room.spares().write(bytes, version);
      boolean moved = false;
      try {
        carryOut(log.get(), record, () -> replace(temporary, file, current));
        moved = true;
      } finally {
        if (!moved) {
          Files.deleteIfExists(temporary);
        }
      }
      return Optional.of(new WriteResult.Written(version.etag()));
    }
  }

  /** Deletes a file that is there; the caller has locked the key. */
  void delete(WriteLog log, String key, Version current) throws IOException {
    LogRecord record = LogRecord.delete(log.nextOrder(), current.stampMicros(), key);
    carryOut(log, record, () -> Files.deleteIfExists(files.of(key)));
  }

  private static long stampOf(Optional<Version> version) {
    return version.map(Version::stampMicros).orElse(LogRecord.NOTHING);
  }

  private void replace(Path temporary, Path file, Optional<Version> current) throws IOException {
    Optional<Path> replaced =
        current.isPresent() && current.get().size() <= largestSpare
            ? room.spares().keep(file)
            : Optional.empty();
    try {
      files.moveIntoPlace(temporary, file);
    } catch (IOException e) {
      if (replaced.isPresent()) {
        Files.deleteIfExists(replaced.get());
      }
      throw e;
    }
    if (replaced.isPresent()) {
      room.spares().add(replaced.get());
    }
  }

  /**
   * Makes a record durable and then does what it says. What can't be carried out must not be
   * replayed either; its entry is closed before that is written, which may have to wait for the
   * segment to be settled.
   */
  private static void carryOut(WriteLog log, LogRecord record, Settlement.Removal step)
      throws IOException {
    IOException failure;
    try (WriteLog.Entry entry = log.append(record)) {
      try {
        step.run();
        return;
      } catch (IOException e) {
        failure = e;
      }
    }
    try {
      log.append(LogRecord.aborted(record.order(), record.key())).close();
    } catch (IOException f) {
      f.addSuppressed(failure);
      throw new WriteLog.InDoubtException(f);
    }
    throw failure;
  }
}
