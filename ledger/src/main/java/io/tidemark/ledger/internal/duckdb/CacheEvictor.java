// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Evictor that keeps a directory of files below a size, by deleting the least recently used ones.
 *
 * <p>Processes share the directory and know nothing of each other but the state of the files. The
 * last use of a file is its access time, which is set here, as systems are often told not to. Its
 * modification time stays unchanged, since DuckDB takes a file with another one for another file. A
 * file that was used a moment ago isn't deleted, by whichever process; so a query that needs more
 * than the limit gets it, and the directory is too large for a while. A process that finds a file
 * deleted nevertheless fetches it again.
 *
 * @param bytes maximum size of the directory
 */
record CacheEvictor(Path directory, long bytes, Clock clock) {

  private static final Duration IN_USE = Duration.ofMinutes(1);
  private static final Duration ABANDONED = Duration.ofHours(1);

  /** Interval after which the use of a file has to be recorded again. */
  static final Duration SAYING = Duration.ofSeconds(20);

  /** Fraction of the limit that a sweep leaves, so that the next isn't needed at once. */
  private static final double FILLED = 0.9;

  private record EvictionCandidate(Path file, long size, Instant used) {}

  /** Records the use of a file. */
  void touch(Path file) throws IOException {
    try {
      Files.getFileAttributeView(file, BasicFileAttributeView.class)
          .setTimes(null, FileTime.from(clock.instant()), null);
    } catch (NoSuchFileException e) {
      // Deleted meanwhile; its reader will notice.
    }
  }

  /** Deletes the excess, and unfinished files. */
  void evict() throws IOException {
    Instant now = clock.instant();
    List<EvictionCandidate> kept = new ArrayList<>();
    long total = 0;
    for (Path file : files()) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        boolean part = file.toString().endsWith(DataFileCache.PART);
        if (part && found.lastModifiedTime().toInstant().isBefore(now.minus(ABANDONED))) {
          Files.deleteIfExists(file);
        } else if (!part) {
          kept.add(new EvictionCandidate(file, found.size(), found.lastAccessTime().toInstant()));
          total += found.size();
        }
      } catch (NoSuchFileException e) {
        // Another process sweeps too.
      }
    }
    if (total > bytes) {
      delete(kept, (long) (total - bytes * FILLED), now.minus(IN_USE));
    }
  }

  private static void delete(List<EvictionCandidate> kept, long tooMuch, Instant inUse)
      throws IOException {
    kept.sort(Comparator.comparing(EvictionCandidate::used));
    long left = tooMuch;
    for (EvictionCandidate each : kept) {
      if (left <= 0 || each.used().isAfter(inUse)) {
        return;
      }
      Files.deleteIfExists(each.file());
      left -= each.size();
    }
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(directory)) {
      return found.toList();
    }
  }
}
