// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.objects.natives.CacheDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directory for data that one DuckDB spills. Its files have the same names in each such directory,
 * so two databases must never share one. DuckDB creates the directory when it needs it and removes
 * it when it ends; those of killed processes are removed by the next process.
 *
 * <p>A live process holds the lock of a file beside its directories, which the system releases when
 * the process ends, however it does. A process id wouldn't do: ids are reused, and where containers
 * or machines share a cache each counts its own. A directory whose file is missing has no owner:
 * the file is created before it, and removed after it.
 */
public final class SpillDirectory {

  private static final Logger LOG = LoggerFactory.getLogger(SpillDirectory.class);

  private static final String LOCK = ".lock";
  private static final String ID = "[0-9a-f]{32}";
  private static final String OWN = id();

  /** Pattern of the names from before there were locks: a process id, and a UUID. */
  private static final String WITHOUT_LOCK = "[0-9]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  /**
   * Age at which such a directory is out of use, since no process spills for so long without a new
   * file.
   */
  private static final Duration OLD = Duration.ofDays(1);

  /** Locks that show that this process is alive, for each parent of its directories. */
  private static final Map<Path, FileLock> HELD = new HashMap<>();

  private SpillDirectory() {}

  private static String id() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  /** Returns a directory that no other process has, and that doesn't exist yet. */
  public static Path newPath(Path parent) {
    return parent.resolve(OWN + "-" + id());
  }

  /** Creates the parent of a directory, and removes the directories of dead processes there. */
  public static void prepare(Path place) {
    Path absolute = place.toAbsolutePath();
    Path parent = Optional.ofNullable(absolute.getParent()).orElse(absolute);
    try {
      CacheDirectory.make(parent);
      if (isHeld(parent)) {
        sweep(parent);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't use " + parent + "; look at the disk it is on", e);
    }
  }

  /**
   * Returns whether other processes see that this one is alive. Without locks none does, so none
   * sweeps.
   */
  private static boolean isHeld(Path parent) {
    try {
      hold(parent);
      return true;
    } catch (IOException e) {
      LOG.info("what others have left in {} stays there, since nothing can be locked", parent, e);
      return false;
    }
  }

  private static synchronized void hold(Path parent) throws IOException {
    Path file = parent.resolve(OWN + LOCK);
    FileLock held = HELD.get(parent);
    if (held != null && held.isValid() && Files.exists(file)) {
      return;
    }
    FileLock lock = lock(file);
    while (!Files.exists(file)) { // a sweeping process saw it before it was locked
      lock.channel().close();
      lock = lock(file);
    }
    HELD.put(parent, lock);
  }

  private static FileLock lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      return channel.lock();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void sweep(Path parent) throws IOException {
    for (Path child : children(parent)) {
      String name = child.getFileName().toString();
      if (name.matches(ID + "(-" + ID + "|\\.lock)") && !name.startsWith(OWN)) {
        forgetIfDead(parent, name.substring(0, OWN.length()));
      } else if (name.matches(WITHOUT_LOCK) && isOld(child)) {
        delete(child);
      }
    }
  }

  /**
   * Deletes the directories of a dead process. Another process may be doing the same; remaining
   * files are left to the next one.
   */
  private static void forgetIfDead(Path parent, String owner) {
    Path file = parent.resolve(owner + LOCK);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        forget(parent, owner);
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      forget(parent, owner);
    } catch (OverlappingFileLockException | IOException e) {
      LOG.debug("{} isn't deleted: {}", file, e.toString());
    }
  }

  private static boolean isOld(Path place) throws IOException {
    Instant changed = Files.getLastModifiedTime(place).toInstant();
    return changed.isBefore(Instant.now().minus(OLD));
  }

  private static void forget(Path parent, String owner) {
    try {
      for (Path place : children(parent)) {
        if (place.getFileName().toString().startsWith(owner + "-")) {
          delete(place);
        }
      }
    } catch (IOException e) {
      LOG.debug("the places of {} in {} aren't deleted: {}", owner, parent, e.toString());
    }
  }

  private static void delete(Path place) {
    try {
      for (Path file : children(place)) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(place);
    } catch (IOException e) {
      LOG.debug("{} isn't deleted: {}", place, e.toString());
    }
  }

  private static List<Path> children(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.toList();
    }
  }
}
