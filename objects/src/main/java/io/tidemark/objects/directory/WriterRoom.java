// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.UnsupportedStoreException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the writers of one directory share: its {@code .tidemark} folder with one lock file and the
 * temporary files. There is one room a directory in a process, however many stores are open on it.
 *
 * <p><b>Locks.</b> A key is locked by a lock of this process and a lock on one byte of the lock
 * file, both chosen by the key's hash. The first is needed because a file lock belongs to the
 * process, not the thread. The second must live on one channel for good: closing any channel on a
 * file gives up all locks that the process has on it (POSIX says so), and interrupting a thread
 * inside of {@link FileChannel#lock()} closes the channel. So nobody else opens the lock file, and
 * waiting is done by trying, which can't be interrupted. The kernel gives up a dead process's
 * locks.
 *
 * <p><b>Temporary files.</b> Their names begin with a number that their process chose and whose
 * byte of the lock file it holds for as long as it lives. So whoever can lock that byte knows that
 * the writer is dead, and sweeps its files. That is done on entering.
 */
final class WriterRoom implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WriterRoom.class);

  /** Enough that writers of different keys rarely meet; a power of two. */
  private static final int STRIPES = 4096;

  private static final long WRITERS = 1L << 62;
  private static final long JUMP_MICROS = 1_000_000;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final long FIRST_PAUSE_NANOS = 10_000;
  private static final long LONGEST_PAUSE_NANOS = 500_000;

  private static final Map<Object, WriterRoom> OPEN = new HashMap<>();

  private final Object identity;
  private final Path temporary;
  private final FileChannel lockFile;
  private final long writer;
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];
  private final AtomicLong files = new AtomicLong();
  private final AtomicLong lastStamp = new AtomicLong(Long.MIN_VALUE);

  /** Shared by those who hold locks, so that the room isn't shut, and they undone, under them. */
  private final ReentrantReadWriteLock inUse = new ReentrantReadWriteLock();

  private volatile boolean timesChecked;
  private int users;

  private WriterRoom(Object identity, Path folder) throws IOException {
    this.identity = identity;
    this.temporary = folder.resolve("tmp");
    Files.createDirectories(temporary);
    this.lockFile = FileChannel.open(lockPath(folder), StandardOpenOption.WRITE);
    this.writer = ThreadLocalRandom.current().nextLong(WRITERS / 2);
    Objects.requireNonNull(lockFile.tryLock(WRITERS + writer, 1, false), "a fresh random byte");
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock();
    }
  }

  /** Enters the room of a directory, which is made when it is missing. */
  static WriterRoom enter(Path root) throws IOException {
    Path folder = root.resolve(".tidemark");
    synchronized (OPEN) {
      Files.createDirectories(folder);
      try {
        Files.createFile(lockPath(folder));
      } catch (FileAlreadyExistsException e) {
        // The usual case. Its identity is asked for without opening it, for the reason given above.
      }
      Object identity = Files.readAttributes(lockPath(folder), BasicFileAttributes.class).fileKey();
      WriterRoom room = OPEN.get(identity);
      if (room == null) {
        room = new WriterRoom(identity, folder);
        room.prepare();
        OPEN.put(identity, room);
      }
      room.users++;
      return room;
    }
  }

  /** A path that no other file has or had. */
  Path newTemporaryFile() throws IOException {
    checkTimesOnce();
    return temporaryFile();
  }

  private Path temporaryFile() {
    return temporary.resolve(Long.toHexString(writer) + "-" + files.incrementAndGet());
  }

  /**
   * The given time, or the next one that no other version of this process has. After a jump of the
   * clock it is the given one again, lest all that follows be dated in the future.
   */
  long newStamp(long micros) {
    return lastStamp.updateAndGet(
        last -> micros > last || micros < last - JUMP_MICROS ? micros : last + 1);
  }

  /** Waits until nobody else, in this process or another, writes this key. */
  Held lock(String key) throws IOException {
    int hash = key.hashCode();
    int stripe = (hash ^ (hash >>> 16)) & (STRIPES - 1);
    ReentrantLock local = stripes[stripe];
    inUse.readLock().lock();
    local.lock();
    try {
      return new Held(this, local, lockBytes(stripe, 1, "the lock for " + key));
    } catch (IOException | RuntimeException e) {
      local.unlock();
      inUse.readLock().unlock();
      throw e;
    }
  }

  /** Waits until nobody, in this process or another, writes any key. */
  Quiet holdOff() throws IOException {
    inUse.writeLock().lock();
    try {
      return new Quiet(this, lockBytes(0, STRIPES, "a lock"));
    } catch (IOException | RuntimeException e) {
      inUse.writeLock().unlock();
      throw e;
    }
  }

  /** Leaves the room; the last one out shuts it. */
  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      if (--users == 0) {
        OPEN.remove(identity);
        inUse.writeLock().lock();
        try {
          lockFile.close();
        } finally {
          inUse.writeLock().unlock();
        }
      }
    }
  }

  /** The right to write a key. */
  record Held(WriterRoom room, ReentrantLock local, FileLock shared) implements AutoCloseable {
    @Override
    public void close() {
      try {
        room.giveUp(shared);
      } finally {
        local.unlock();
        room.inUse.readLock().unlock();
      }
    }
  }

  /** A time in which nobody writes. */
  record Quiet(WriterRoom room, FileLock shared) implements AutoCloseable {
    @Override
    public void close() {
      try {
        room.giveUp(shared);
      } finally {
        room.inUse.writeLock().unlock();
      }
    }
  }

  /** Never fails: what was done under the lock is done. A lock that stays would show elsewhere. */
  private void giveUp(FileLock lock) {
    try {
      lock.release();
    } catch (IOException e) {
      LOG.warn("a lock in {} couldn't be given up", temporary.getParent(), e);
    }
  }

  private static Path lockPath(Path folder) {
    return folder.resolve("lock");
  }

  private FileLock lockBytes(long position, int size, String what) throws IOException {
    long start = System.nanoTime();
    long pause = FIRST_PAUSE_NANOS;
    boolean interrupted = false;
    try {
      while (true) {
        Optional<FileLock> lock = tryLock(position, size);
        if (lock.isPresent()) {
          return lock.get();
        }
        if (System.nanoTime() - start > LONGEST_WAIT.toNanos()) {
          throw new StoreUnavailableException(
              "another process has held "
                  + what
                  + " in "
                  + temporary.getParent()
                  + " for "
                  + LONGEST_WAIT.toSeconds()
                  + " s; find out whether it is stopped, and let it go on or end it");
        }
        LockSupport.parkNanos(this, ThreadLocalRandom.current().nextLong(pause / 2, pause));
        interrupted |= Thread.interrupted();
        pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
      }
    } catch (ClosedChannelException e) {
      throw new IOException("the store has been closed; open it again", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void prepare() throws IOException {
    try {
      sweep();
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  /** Before the first write only: who deletes may do so because there is no room for a file. */
  private void checkTimesOnce() throws IOException {
    if (!timesChecked) {
      checkTimes();
      timesChecked = true;
    }
  }

  /** A version is told by its time, so the file system must keep times as they are given. */
  private void checkTimes() throws IOException {
    Path probe = temporaryFile();
    Version version = new Version(1_700_000_000_123_457L, 0);
    try {
      Files.createFile(probe);
      Files.setLastModifiedTime(probe, Version.fileTime(version.stampMicros()));
      Version found = Version.of(Files.readAttributes(probe, BasicFileAttributes.class));
      if (!found.equals(version)) {
        throw new UnsupportedStoreException(
            "the file system of "
                + temporary
                + " doesn't keep modification times to the microsecond (wrote "
                + version.lastModified()
                + ", found "
                + found.lastModified()
                + "); choose a directory on ext4, XFS, Btrfs, APFS, NTFS or tmpfs");
      }
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  private void sweep() throws IOException {
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(temporary)) {
      for (Path file : leftovers) {
        sweep(file);
      }
    }
  }

  private void sweep(Path file) throws IOException {
    String name = file.getFileName().toString();
    int dash = name.indexOf('-');
    if (dash < 1 || dash > 16 || !name.chars().limit(dash).allMatch(HexFormat::isHexDigit)) {
      return;
    }
    long owner = HexFormat.fromHexDigitsToLong(name, 0, dash);
    if (owner == writer || owner < 0 || owner >= WRITERS / 2) {
      return;
    }
    Optional<FileLock> lock = tryLock(WRITERS + owner, 1);
    if (lock.isPresent()) {
      try {
        Files.deleteIfExists(file);
      } finally {
        lock.get().release();
      }
    }
  }

  /** Empty when another process holds it, or this class as another loader has loaded it. */
  private Optional<FileLock> tryLock(long position, int size) throws IOException {
    try {
      return Optional.ofNullable(lockFile.tryLock(position, size, false));
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }
}
