// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.UnsupportedStoreException;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Shared state of the writers of one directory: its {@code .tidemark} folder with one lock file,
 * the temporary files and the log. A process has one coordinator a directory, however many stores
 * are open on it.
 *
 * <p><b>Locks.</b> A key is locked by a lock of this process and a lock on one byte of the lock
 * file, both chosen by the key's hash. The first is needed because a file lock belongs to the
 * process, not the thread. A thread that waits for the second holds a turnstile meanwhile, which
 * the thread that has just released the key has to pass after it. Otherwise a process whose threads
 * hand a key to each other would leave no gap for another process, which has to poll.
 *
 * <p><b>Temporary files.</b> Their names begin with a number that their process chose and whose
 * byte of the lock file it holds for as long as it lives. So a process that can lock that byte
 * knows that the writer is dead, sweeps its files and recovers its log. That is done on entering.
 */
final class WriteCoordinator implements AutoCloseable {

  /** The folder of a store that has no objects in it. */
  static final String FOLDER = ".tidemark";

  /** Enough that writers of different keys rarely meet; a power of two. */
  private static final int STRIPES = 4096;

  private static final long TURNSTILES = 1L << 32;
  private static final long HOUSEKEEPING = 1L << 33;
  private static final long WRITERS = 1L << 62;
  private static final long JUMP_MICROS = 1_000_000;

  /** Longer than anybody pauses between two tries. */
  private static final long COURTESY_NANOS = 2_000_000;

  /** A machine of a test's counts as another process. */
  private record Identity(Object lockFile, HostOps machine) {}

  private static final Map<Identity, WriteCoordinator> OPEN = new HashMap<>();

  private final Identity identity;
  private final Path temporary;
  private final Path spareFolder;
  private final Path lockPath;
  private final LockFile lockFile;
  private final long writer;
  private final Stripe[] stripes = new Stripe[STRIPES];
  private final ReentrantLock housekeeping = new ReentrantLock();
  private final AtomicLong files = new AtomicLong();
  private final AtomicLong lastStamp = new AtomicLong(Long.MIN_VALUE);
  private final RecycledFiles recycledFiles;
  private final LogProvider desk;

  /**
   * Shared by the threads that hold locks, so that closing doesn't release the locks under them.
   */
  private final ReentrantReadWriteLock inUse = new ReentrantReadWriteLock();

  private volatile boolean timesChecked;
  private int users;

  private WriteCoordinator(Identity identity, Path root, Path folder) throws IOException {
    this.identity = identity;
    this.temporary = Files.createDirectories(folder.resolve("tmp"));
    this.spareFolder = folder.resolve("spare");
    this.lockPath = lockPath(folder);
    this.lockFile = new LockFile(lockPath);
    this.writer = ThreadLocalRandom.current().nextLong(WRITERS / 2);
    Objects.requireNonNull(lockFile.tryLock(WRITERS + writer, 1), "a fresh random byte");
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
    this.recycledFiles =
        new RecycledFiles(spareFolder, writer, identity.machine().limits().spares());
    this.desk = new LogProvider(this, root, writer, identity.machine());
  }

  /** Enters the room of a directory, which is made when it is missing. */
  static WriteCoordinator open(Path root, HostOps hostOps) throws IOException {
    Path folder = root.resolve(FOLDER);
    synchronized (OPEN) {
      Files.createDirectories(folder);
      try {
        Files.createFile(lockPath(folder));
      } catch (FileAlreadyExistsException e) {
        // The usual case. Its identity is asked for without opening it: see LockFile.
      }
      Object lock =
          StorePresence.fileKey(lockPath(folder))
              .orElseThrow(() -> new NoSuchFileException(lockPath(folder).toString()));
      Identity identity = new Identity(lock, hostOps);
      WriteCoordinator room = OPEN.get(identity);
      if (room == null) {
        room = new WriteCoordinator(identity, root.toRealPath(), folder.toRealPath());
        room.prepare();
        OPEN.put(identity, room);
      }
      room.users++;
      return room;
    }
  }

  /** File key of the lock file. */
  Object lockFileKey() {
    return identity.lockFile();
  }

  /** Returns a path that no other file has or had. */
  Path newTemporaryFile() throws IOException {
    checkTimesOnce();
    return temporaryFile();
  }

  private Path temporaryFile() {
    return temporary.resolve(Long.toHexString(writer) + "-" + files.incrementAndGet());
  }

  /** Returns the files that logged writes use again. */
  RecycledFiles recycledFiles() throws IOException {
    checkTimesOnce();
    return recycledFiles;
  }

  /** Returns the provider of the log. */
  LogProvider logProvider() {
    return desk;
  }

  /**
   * Returns the given time, or the next one that no other version of this process has. After a jump
   * of the clock it is the given one again, lest all that follows be dated in the future.
   */
  long newStamp(long micros) {
    return lastStamp.updateAndGet(
        last -> micros > last || micros < last - JUMP_MICROS ? micros : last + 1);
  }

  /** Waits until no other thread, in this process or another, writes this key. */
  KeyLock lock(String key) throws IOException {
    int hash = key.hashCode();
    int number = (hash ^ (hash >>> 16)) & (STRIPES - 1);
    Stripe stripe = stripes[number];
    inUse.readLock().lock();
    stripe.local.lock();
    try {
      return new KeyLock(this, stripe, lock(number, stripe, "the lock for " + key));
    } catch (IOException | RuntimeException e) {
      stripe.local.unlock();
      inUse.readLock().unlock();
      throw e;
    }
  }

  private FileLock lock(int number, Stripe stripe, String what) throws IOException {
    Optional<FileLock> free = stripe.mayBarge() ? lockFile.tryLock(number, 1) : Optional.empty();
    return free.isPresent() ? free.get() : lockInTurn(number, 1, what);
  }

  /** Waits until no thread, in this process or another, writes any key. */
  AllKeysLock lockAll() throws IOException {
    inUse.writeLock().lock();
    try {
      return new AllKeysLock(this, lockInTurn(0, STRIPES, "a lock"));
    } catch (IOException | RuntimeException e) {
      inUse.writeLock().unlock();
      throw e;
    }
  }

  private FileLock lockInTurn(int stripe, int count, String what) throws IOException {
    FileLock turn = lockFile.lock(TURNSTILES + stripe, count, what);
    try {
      return lockFile.lock(stripe, count, what);
    } finally {
      lockFile.release(turn);
    }
  }

  /** Runs a removal while no other thread, in this process or another, runs one. */
  void runExclusively(LogCheckpoint.Removal task) throws IOException {
    housekeeping.lock();
    try {
      FileLock shared = lockFile.lock(HOUSEKEEPING, 1, "the log");
      try {
        requireSameLockFile();
        task.run();
      } finally {
        lockFile.release(shared);
      }
    } finally {
      housekeeping.unlock();
    }
  }

  /** Returns whether the process that chose this number for itself is no more. */
  boolean isDead(long owner) throws IOException {
    if (owner == writer || owner < 0 || owner >= WRITERS / 2) {
      return false;
    }
    Optional<FileLock> lock = lockFile.tryLock(WRITERS + owner, 1);
    lock.ifPresent(lockFile::release);
    return lock.isPresent();
  }

  /** Leaves the room; the last one out shuts it. */
  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      if (--users > 0) {
        return;
      }
    }
    closeLog(); // takes a while, in which others may enter this room or other ones
    synchronized (OPEN) {
      if (users == 0 && OPEN.remove(identity, this)) {
        shut();
      }
    }
  }

  private void closeLog() throws IOException {
    inUse.writeLock().lock();
    try {
      desk.close();
      recycledFiles.clear();
    } finally {
      inUse.writeLock().unlock();
    }
  }

  private void shut() throws IOException {
    try {
      closeLog(); // what came in the meantime
    } finally {
      inUse.writeLock().lock();
      try {
        lockFile.close();
      } finally {
        inUse.writeLock().unlock();
      }
    }
  }

  /** State of the lock that some keys share, in this process. */
  static final class Stripe {
    private final ReentrantLock local = new ReentrantLock();
    private long givenUp = System.nanoTime() - COURTESY_NANOS;

    /** Returns whether waiting processes have had the time to take the lock. */
    boolean mayBarge() {
      return System.nanoTime() - givenUp >= COURTESY_NANOS;
    }
  }

  /** The right to write a key. */
  record KeyLock(WriteCoordinator room, Stripe stripe, FileLock shared) implements AutoCloseable {
    @Override
    public void close() {
      try {
        room.lockFile.release(shared);
        stripe.givenUp = System.nanoTime();
      } finally {
        stripe.local.unlock();
        room.inUse.readLock().unlock();
      }
    }
  }

  /** Exclusive lock of all keys: no thread writes while it is held. */
  record AllKeysLock(WriteCoordinator room, FileLock shared) implements AutoCloseable {
    @Override
    public void close() {
      try {
        room.lockFile.release(shared);
      } finally {
        room.inUse.writeLock().unlock();
      }
    }
  }

  static Path lockPath(Path folder) {
    return folder.resolve("lock");
  }

  private void prepare() throws IOException {
    try {
      requireSameLockFile(); // what was opened may have been replaced after it was looked at
      desk.recover();
      sweep(temporary);
      sweep(spareFolder); // in which they were before there were folders in it
      for (Path spares : RecycledFiles.folders(spareFolder)) {
        sweep(spares);
      }
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  /** Requires that other processes that open this directory would use this lock file. */
  private void requireSameLockFile() throws IOException {
    if (!StorePresence.fileKey(lockPath).equals(Optional.of(identity.lockFile()))) {
      throw new IOException(
          lockPath + " was deleted or replaced while the store was open; open the store anew");
    }
  }

  /**
   * Checks file times before the first write only: a delete may be made because there is no space
   * for a file.
   */
  private void checkTimesOnce() throws IOException {
    if (!timesChecked) {
      checkTimes();
      timesChecked = true;
    }
  }

  /** A version is told by its time, so the file system must keep times as they are given. */
  private void checkTimes() throws IOException {
    Path probe = temporaryFile();
    FileVersion fileVersion = new FileVersion(1_700_000_000_123_457L, 0);
    try {
      Files.createFile(probe);
      Files.setLastModifiedTime(probe, FileVersion.fileTime(fileVersion.stampMicros()));
      FileVersion found = FileVersion.of(Files.readAttributes(probe, BasicFileAttributes.class));
      if (!found.equals(fileVersion)) {
        throw new UnsupportedStoreException(
            "the file system of "
                + temporary
                + " doesn't keep modification times to the microsecond (wrote "
                + fileVersion.lastModified()
                + ", found "
                + found.lastModified()
                + "); choose a directory on ext4, XFS, Btrfs, APFS, NTFS or tmpfs");
      }
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  /** Removes what dead writers have left. */
  private void sweep(Path folder) throws IOException {
    Map<Long, Boolean> dead = new HashMap<>();
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder)) {
      for (Path file : leftovers) {
        long owner = LogFolder.owner(file);
        Boolean gone = dead.get(owner);
        if (gone == null) {
          gone = isDead(owner);
          dead.put(owner, gone);
        }
        if (gone) {
          Files.deleteIfExists(file);
        }
      }
    } catch (NoSuchFileException e) {
      // No process has left anything.
    }
  }
}
