// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Group sync that makes changes of directories durable. Writers that change one directory at the
 * same time share a sync: a writer that arrives while one is running waits for the next, which then
 * covers all waiting writers.
 */
final class DirectorySync {

  /** More would be a leak; forgetting costs a few syncs. */
  private static final int REMEMBERED = 10_000;

  private final Path root;
  private final Path top;
  private final HostOps hostOps;
  private final ConcurrentHashMap<Path, SyncGroup> points = new ConcurrentHashMap<>();

  /** Directories whose own entry, and those of all above, are known to be durable. */
  private final Set<Path> durable = ConcurrentHashMap.newKeySet();

  /** Counts what was forgotten: a sync from before says nothing of a directory made after. */
  private long forgotten;

  /**
   * @param top the directory above the root that holds the first directory to be made, so that the
   *     root's own entry becomes durable too
   */
  DirectorySync(Path root, Path top, HostOps hostOps) {
    this.root = root;
    this.top = top;
    this.hostOps = hostOps;
  }

  /** Returns when every change that was made to the directory before the call is durable. */
  void sync(Path directory) throws IOException {
    long before = forgotten();
    try {
      syncShared(directory);
      if (!directory.equals(top) && !durable.contains(directory)) {
        sync(parentOf(directory));
        remember(directory, before);
      }
    } catch (NoSuchFileException e) {
      // Emptied and removed since by another; what is left to make durable is the removal.
      forget(directory);
      if (directory.equals(root) || !directory.startsWith(root)) {
        throw e;
      }
      sync(parentOf(directory));
    } catch (AccessDeniedException e) {
      if (directory.startsWith(root)) {
        throw e;
      }
      // A parent directory that may be traversed but not opened; its owner is responsible for it.
    }
  }

  /**
   * To be called when a directory is removed, and when one is made: another process may have
   * removed one of that name before.
   */
  synchronized void forget(Path directory) {
    forgotten++;
    durable.remove(directory);
  }

  private synchronized long forgotten() {
    return forgotten;
  }

  private synchronized void remember(Path directory, long before) {
    if (forgotten != before) {
      return;
    }
    if (durable.size() >= REMEMBERED) {
      durable.clear();
    }
    durable.add(directory);
  }

  private static Path parentOf(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (parent == null) {
      throw new NoSuchFileException(directory.toString());
    }
    return parent;
  }

  private void syncShared(Path directory) throws IOException {
    SyncGroup syncGroup = points.compute(directory, (d, p) -> SyncGroup.joined(p));
    try {
      syncGroup.sync(directory, hostOps);
    } finally {
      points.compute(directory, (d, p) -> SyncGroup.left(p));
    }
  }

  /** The syncs of one directory, while anybody waits for one. */
  private static final class SyncGroup {
    private final AtomicLong asked = new AtomicLong();
    private final ReentrantLock running = new ReentrantLock();
    private long answered;
    private int users;

    static SyncGroup joined(@Nullable SyncGroup syncGroup) {
      SyncGroup joined = syncGroup == null ? new SyncGroup() : syncGroup;
      joined.users++;
      return joined;
    }

    static @Nullable SyncGroup left(@Nullable SyncGroup syncGroup) {
      return syncGroup == null || --syncGroup.users == 0 ? null : syncGroup;
    }

    void sync(Path directory, HostOps hostOps) throws IOException {
      long ticket = asked.incrementAndGet();
      running.lock();
      try {
        if (answered >= ticket) {
          return; // the sync that has just ended began after our change
        }
        long covered = asked.get();
        hostOps.sync(directory);
        answered = covered;
      } finally {
        running.unlock();
      }
    }
  }
}
