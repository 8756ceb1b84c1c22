// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.objects.natives.CacheDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Slot for a replica, which one owner has at a time: DuckDB lets only one process write to a file.
 * A ledger has a few slots, numbered. An owner takes the first that is free, so that a process that
 * comes after another finds what that one has fed; a process that finds none free has no replica.
 * The lock is the system's, and goes with the process.
 *
 * @param directory where the owner may do what it likes
 */
record Slot(Path directory, FileChannel channel, FileLock lock) implements AutoCloseable {

  private static final int SLOTS = 4;
  private static final Duration KEPT = Duration.ofDays(30);
  private static final String LOCK = "lock";

  /** The slots that this process has. */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private static final String SUFFIX = ".duckdb";

  /** Returns the database in the slot, if there is one. */
  Optional<Path> database() throws IOException {
    return children(directory).stream().filter(Slot::isDatabase).findFirst();
  }

  /** Returns a path for another database: DuckDB may still have a deleted one open. */
  Path newDatabase() {
    return directory.resolve(UUID.randomUUID() + SUFFIX);
  }

  private static boolean isDatabase(Path file) {
    return file.toString().endsWith(SUFFIX);
  }

  /** Returns where the owner's database spills what doesn't fit into memory. */
  Path spill() {
    return directory.resolve("spill");
  }

  /** Removes what an owner that was killed has spilled. */
  void deleteSpill() throws IOException {
    delete(spill());
  }

  /** Returns whether any slot of a ledger has a database in it. */
  static boolean anyHasDatabase(Path ledger) throws IOException {
    for (Path slot : children(ledger)) {
      if (children(slot).stream().anyMatch(Slot::isDatabase)) {
        return true;
      }
    }
    return false;
  }

  /** Takes the first slot that is free, if one is. */
  static Optional<Slot> acquire(Path ledger) throws IOException {
    for (int i = 0; i < SLOTS; i++) {
      Optional<Slot> slot = lock(CacheDirectory.make(slot(ledger, i)));
      if (slot.isPresent()) {
        Files.setLastModifiedTime(
            slot.get().directory().resolve(LOCK), FileTime.from(Instant.now()));
        return slot;
      }
    }
    return Optional.empty();
  }

  private static Path slot(Path ledger, int number) {
    return ledger.resolve("slot-" + number);
  }

  /**
   * Locks a slot, unless it is taken. Another ledger object of this process may have it, which is
   * as good as another process. That has to be known before the file is opened: closing it again
   * would give up the other's lock, since the system's locks are the process's.
   */
  private static Optional<Slot> lock(Path directory) throws IOException {
    Path path = directory.toRealPath();
    if (!OURS.add(path)) {
      return Optional.empty();
    }
    Optional<Slot> slot = Optional.empty();
    try {
      slot = locked(path);
      return slot;
    } finally {
      if (slot.isEmpty()) {
        OURS.remove(path);
      }
    }
  }

  private static Optional<Slot> locked(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    Optional<FileLock> lock = Optional.empty();
    try {
      lock = Optional.ofNullable(channel.tryLock());
      return lock.map(held -> new Slot(directory, channel, held));
    } finally {
      if (lock.isEmpty()) {
        channel.close();
      }
    }
  }

  /** Empties the slots of all ledgers that have been unused for long. */
  static void clearUnused(Path ledgers, Instant now) throws IOException {
    for (Path ledger : children(ledgers)) {
      for (Path directory : children(ledger)) {
        Path lock = directory.resolve(LOCK);
        boolean forgotten =
            Files.exists(lock)
                && Files.getLastModifiedTime(lock).toInstant().isBefore(now.minus(KEPT));
        if (forgotten) {
          Optional<Slot> slot = lock(directory);
          if (slot.isPresent()) {
            slot.get().clear();
            slot.get().close();
          }
        }
      }
    }
  }

  private static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(directory)) {
      return found.toList();
    }
  }

  /** Deletes everything in the slot but the lock. */
  void clear() throws IOException {
    for (Path file : children(directory)) {
      if (!file.endsWith(LOCK)) {
        delete(file);
      }
    }
  }

  /** Deletes everything in the slot but the lock and what the owner's database has spilled. */
  void clearExceptSpill() throws IOException {
    for (Path file : children(directory)) {
      if (!file.endsWith(LOCK) && !file.equals(spill())) {
        delete(file);
      }
    }
  }

  private static void delete(Path file) throws IOException {
    for (Path inside : children(file)) {
      delete(inside);
    }
    Files.deleteIfExists(file);
  }

  @Override
  public void close() throws IOException {
    lock.close();
    channel.close();
    OURS.remove(directory);
  }
}
