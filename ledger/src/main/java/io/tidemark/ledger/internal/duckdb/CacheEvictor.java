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
 * Keeps a directory of files below a size, by deleting those that nobody has used for longest.
 *
 * <p>Processes share the directory and know nothing of each other but what the files tell: when one
 * was last used is its access time, which is set here, as systems are often told not to. The time
 * of its last change stays what it is, since DuckDB takes a file with another one for another file.
 * What was used a moment ago isn't deleted, whoever used it; so a query that needs more than the
 * limit gets it, and the directory is too large for a while. Who finds a file gone all the same
 * fetches it again.
 *
 * @param bytes how large it may be
 */
record CacheEvictor(Path directory, long bytes, Clock clock) {

  private static final Duration IN_USE = Duration.ofMinutes(1);
  private static final Duration ABANDONED = Duration.ofHours(1);

  /** When a file that was used has to say so again. */
  static final Duration SAYING = Duration.ofSeconds(20);

  /** A sweep makes more room than it has to, so that the next isn't needed at once. */
  private static final double FILLED = 0.9;

  private record EvictionCandidate(Path file, long size, Instant used) {}

  /** Says that a file is used. */
  void touch(Path file) throws IOException {
    try {
      Files.getFileAttributeView(file, BasicFileAttributeView.class)
          .setTimes(null, FileTime.from(clock.instant()), null);
    } catch (NoSuchFileException e) {
      // Gone meanwhile; whoever reads it finds out.
    }
  }

  /** Deletes what is too much, and what was never finished. */
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
