// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.StoreUnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file whose bytes are locks between processes.
 *
 * <p>They must live on one channel for good: closing any channel on a file gives up all locks that
 * the process has on it (POSIX says so), and interrupting a thread inside of {@link
 * FileChannel#lock()} closes the channel. So no other code opens the file, and waiting is done by
 * trying, which can't be interrupted. The kernel gives up a dead process's locks.
 */
final class LockFile implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(LockFile.class);

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final long FIRST_PAUSE_NANOS = 10_000;
  private static final long LONGEST_PAUSE_NANOS = 500_000;

  private final Path path;
  private final FileChannel channel;

  LockFile(Path path) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(path, StandardOpenOption.WRITE);
  }

  /** Empty when another process holds it, or this class as another loader has loaded it. */
  Optional<FileLock> tryLock(long position, int size) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock(position, size, false));
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }

  /** Waits for it. */
  FileLock lock(long position, int size, String what) throws IOException {
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
                  + path.getParent()
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

  /** Never fails: what was done under the lock is done. A lock that stays would show elsewhere. */
  void release(FileLock lock) {
    try {
      lock.release();
    } catch (IOException e) {
      LOG.warn("a lock in {} couldn't be given up", path.getParent(), e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
