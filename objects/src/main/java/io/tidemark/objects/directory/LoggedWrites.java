// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.Condition;
import io.tidemark.objects.WriteResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Writes that are durable in the log before they are carried out. */
final class LoggedWrites {

  /** Change that a record describes. */
  interface Step {
    /** Does the part that readers can't see, while the record becomes durable. */
    default void prepare() throws IOException {}

    /** Makes the change visible to readers. */
    void complete() throws IOException;
  }

  private final WriteCoordinator room;
  private final ObjectFiles files;
  private final StorePresence presence;
  private final int largestSpare;

  LoggedWrites(WriteCoordinator room, ObjectFiles files, StorePresence presence, int largestSpare) {
    this.room = room;
    this.files = files;
    this.presence = presence;
    this.largestSpare = largestSpare;
  }

  /** Empty when there is no log to be had, such as on a full disk; then nothing was done. */
  Optional<WriteResult> put(String key, byte[] bytes, Condition condition, long now)
      throws IOException {
    try (WriteCoordinator.KeyLock keyLock = room.lock(key)) {
      presence.requireNotGone();
      Optional<WriteLog> log = room.logProvider().log();
      if (log.isEmpty()) {
        return Optional.empty();
      }
      Path file = files.of(key);
      Optional<FileVersion> current = ObjectFiles.versionOf(file);
      if (!condition.holds(current.map(FileVersion::etag))) {
        return Optional.of(new WriteResult.PreconditionFailed(current.map(FileVersion::etag)));
      }
      long stamp = Math.max(now, current.map(v -> v.stampMicros() + 1).orElse(now));
      FileVersion fileVersion = new FileVersion(room.newStamp(stamp), bytes.length);
      LogRecord record =
          LogRecord.put(log.get().nextOrder(), stampOf(current), fileVersion, key, bytes);
      try (FileReplacement step =
          new FileReplacement(room.recycledFiles(), files, file, bytes, fileVersion)) {
        if (current.isPresent() && current.get().size() <= largestSpare) {
          step.recycleOld();
        }
        carryOut(log.get(), record, step);
      }
      return Optional.of(new WriteResult.Written(fileVersion.etag()));
    }
  }

  /** Deletes a file that is there; the caller has locked the key. */
  void delete(WriteLog log, String key, FileVersion current) throws IOException {
    LogRecord record = LogRecord.delete(log.nextOrder(), current.stampMicros(), key);
    carryOut(log, record, () -> files.remove(key));
  }

  private static long stampOf(Optional<FileVersion> version) {
    return version.map(FileVersion::stampMicros).orElse(LogRecord.NOTHING);
  }

  /**
   * Makes a record durable and then does what it says. What can't be carried out must not be
   * replayed either; its entry is closed before that is written, which may have to wait for the
   * segment to be settled.
   */
  private static void carryOut(WriteLog log, LogRecord record, Step step) throws IOException {
    Preparation preparation = new Preparation(step);
    IOException failure;
    try (WriteLog.Entry entry = log.append(record, preparation)) {
      try {
        preparation.requireDone();
        step.complete();
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

  /**
   * Preparation of a step, which keeps an error until the sync is over: other threads may wait for
   * this one to sync their records.
   */
  private static final class Preparation implements Runnable {
    private final Step step;
    private Optional<IOException> failure = Optional.empty();

    Preparation(Step step) {
      this.step = step;
    }

    @Override
    public void run() {
      try {
        step.prepare();
      } catch (IOException e) {
        failure = Optional.of(e);
      } catch (RuntimeException e) {
        failure = Optional.of(new IOException(e));
      }
    }

    void requireDone() throws IOException {
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }
}
