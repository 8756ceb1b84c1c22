// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.StoreUnavailableException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Write-ahead log of one process, by which its writes become durable before any reader can see
 * them.
 *
 * <p><b>A write</b> is appended with its key locked, and carried out, by a rename or an unlink,
 * once the record is durable. The files themselves are not synced. So a file may be torn when the
 * power fails, but then there is a record of it, and it is made again from that: see {@link
 * Recovery}.
 *
 * <p><b>Writers share syncs.</b> The first thread that arrives while a sync is under way writes and
 * syncs, once it is over, the records of all threads that have arrived by then. A segment has its
 * full length from the start, so a sync is a single write to the disk, without the file system's
 * journal.
 *
 * <p><b>A full segment</b> is settled in the background while writers go on in another: each file
 * it speaks of is synced as it is by then, once, however often it was written. Then the segment is
 * used again.
 *
 * <p><b>When a sync fails</b>, it is unknown which of those records the disk has, and a second sync
 * would not tell: so the writes end in doubt, and the segment is not written to again. Those that
 * were acknowledged before are settled like those of a full one, after which it is removed.
 */
final class WriteLog {

  /** The record may have become durable, and then would be replayed. */
  static final class InDoubtException extends IOException {
    private static final long serialVersionUID = 1L;

    InDoubtException() {
      super("the thread that was syncing the write log broke off");
    }

    InDoubtException(Exception cause) {
      super("the write log couldn't be synced (" + cause.getMessage() + ")", cause);
    }
  }

  /** Runner of tasks while no other process settles or recovers. */
  interface ExclusiveRunner {
    void runExclusively(LogCheckpoint.Removal task) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(WriteLog.class);

  /** One to write, one to be settled. */
  private static final int SEGMENTS = 2;

  private final LogFolder folder;
  private final LogCheckpoint logCheckpoint;
  private final ExclusiveRunner exclusiveRunner;
  private final HostOps hostOps;
  private final AtomicLong lastOrder = new AtomicLong(Long.MIN_VALUE);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /**
   * Separate condition, since it is signalled with nearly every batch, and the leader of the next
   * doesn't wait for it.
   */
  private final Condition carriedOut = lock.newCondition();

  private final Deque<LogSegment> empty = new ArrayDeque<>();
  private final List<LogSegment> stuck = new ArrayList<>();
  private LogSegment active;
  private Batch filling = new Batch();
  private boolean syncing;
  private int settling;

  WriteLog(
      LogFolder folder,
      LogCheckpoint logCheckpoint,
      ExclusiveRunner exclusiveRunner,
      HostOps hostOps)
      throws IOException {
    this.folder = folder;
    this.logCheckpoint = logCheckpoint;
    this.exclusiveRunner = exclusiveRunner;
    this.hostOps = hostOps;
    this.active = folder.newSegment(hostOps.limits().segment());
  }

  /** To be called with the key locked: later than every earlier record of it. */
  long nextOrder() {
    return lastOrder.updateAndGet(last -> Math.max(last + 1, hostOps.ticks()));
  }

  /** Appends a record, without other work to do before it is durable. */
  Entry append(LogRecord record) throws IOException {
    return append(record, () -> {});
  }

  /**
   * Returns when the record is durable; any other error than doubt means that it is not there. What
   * it says is to be carried out before the entry is closed: until then it isn't settled.
   *
   * @param meanwhile work that can be done before the record is durable, while other threads are
   *     writing or syncing
   */
  Entry append(LogRecord record, Runnable meanwhile) throws IOException {
    Batch batch = join(record);
    boolean done = false;
    try {
      meanwhile.run();
      done = true;
    } finally {
      if (batch.isLedBy(record)) {
        lead(batch);
      }
      if (!done) {
        batch.abandon();
      }
    }
    batch.await();
    return batch;
  }

  private Batch join(LogRecord record) {
    lock.lock();
    try {
      while (!filling.over
          && filling.bytes > 0
          && filling.bytes + record.mostBytes() > hostOps.limits().maxBatchBytes()) {
        changed.awaitUninterruptibly();
      }
      if (filling.over) { // its leader broke off
        filling = new Batch();
      }
      filling.add(record);
      return filling;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Syncs a batch, for all threads that wait for it, once the sync before is over. The threads are
   * woken when the lock is free, since they would contend for it.
   */
  private void lead(Batch batch) {
    lock.lock();
    try {
      while (syncing) {
        changed.awaitUninterruptibly();
      }
      syncing = true;
      try {
        filling = new Batch();
        changed.signalAll(); // there is room in it for those who found none
        makeRoom(batch.bytes);
        write(batch);
      } catch (IOException | RuntimeException e) {
        batch.failure = Optional.of(e);
      } finally {
        syncing = false;
        changed.signalAll();
      }
    } finally {
      batch.over = true;
      lock.unlock();
      batch.done.release(batch.records.size());
    }
  }

  private void write(Batch batch) throws InDoubtException {
    LogSegment segment = active;
    boolean durable = false;
    lock.unlock();
    try {
      segment.append(batch.records);
      durable = true;
    } catch (IOException | RuntimeException e) {
      throw new InDoubtException(e);
    } finally {
      lock.lock();
      if (durable) {
        segment.addPending(batch.records.size());
        batch.segment = segment;
      } else {
        segment.seal();
      }
    }
  }

  private void makeRoom(int bytes) throws IOException {
    while (!active.hasRoomFor(bytes)) {
      if (!empty.isEmpty()) {
        checkpointInBackground(active);
        active = empty.remove();
      } else if (settling + stuck.size() < SEGMENTS - 1) {
        addSegment();
      } else if (settling > 0) {
        changed.awaitUninterruptibly();
      } else {
        throw new IOException(
            "the files of " + stuck.get(0).path() + " couldn't be synced; check the disk");
      }
    }
  }

  /** On a full disk the one there is has to do, and writers to wait until it is settled. */
  private void addSegment() throws IOException {
    LogSegment full = active;
    try {
      active = folder.newSegment(hostOps.limits().laterSegmentBytes());
    } catch (IOException e) {
      if (full.isSealed()) {
        throw e;
      }
      release(full);
      return;
    }
    if (full.size() < active.size()) {
      full.seal(); // and gone when it is settled
    }
    checkpointInBackground(full);
  }

  private void checkpointInBackground(LogSegment segment) {
    settling++;
    boolean started = false;
    try {
      hostOps.runInBackground(() -> checkpoint(segment));
      started = true;
    } finally {
      if (!started) {
        settling--;
      }
    }
  }

  private void checkpoint(LogSegment segment) {
    boolean reusable = false;
    boolean settled = false;
    try {
      reusable = releaseInTime(segment);
      settled = true;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} can't be settled and stays; check the disk", segment.path(), e);
    } finally {
      settled(segment, settled, reusable);
    }
  }

  /**
   * Releases a segment. Another process that holds the log's lock for long, such as to replay a
   * log, doesn't block this one.
   */
  private boolean releaseInTime(LogSegment segment) throws IOException {
    while (true) {
      try {
        return release(segment);
      } catch (StoreUnavailableException e) {
        LOG.warn("{} can't be settled yet, trying again: {}", segment.path(), e.getMessage());
      }
    }
  }

  private void settled(LogSegment segment, boolean settled, boolean reusable) {
    lock.lock();
    try {
      settling--;
      if (reusable) {
        empty.add(segment);
      } else if (!settled) {
        stuck.add(segment);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the segment can be used again; if not it is gone. */
  private boolean release(LogSegment segment) throws IOException {
    awaitCarriedOut(segment);
    sync(segment);
    boolean reusable = !segment.isSealed();
    exclusiveRunner.runExclusively(
        () ->
            logCheckpoint.removeRecords(
                segment.newest(),
                List.of(segment.path()),
                () -> {
                  if (reusable) {
                    segment.reset();
                  } else {
                    remove(segment);
                  }
                }));
    return reusable;
  }

  private void awaitCarriedOut(LogSegment segment) {
    lock.lock();
    try {
      while (!segment.isCarriedOut()) {
        carriedOut.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void carriedOut(LogSegment segment) {
    if (segment.completeOne()) {
      lock.lock();
      try {
        carriedOut.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void sync(LogSegment segment) throws IOException {
    try {
      logCheckpoint.sync(segment.newest().keySet());
    } catch (IOException e) {
      segment.markUnreliable();
      throw e;
    }
  }

  private void remove(LogSegment segment) throws IOException {
    segment.close();
    folder.remove(List.of(segment.path()));
  }

  /** Settles everything and removes the log; to be called when no thread appends any more. */
  void close() throws IOException {
    lock.lock();
    try {
      while (settling > 0) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    for (LogSegment segment : empty) {
      remove(segment);
    }
    active.seal();
    try {
      release(active);
    } finally {
      active.close();
    }
  }

  /** A durable record; to be closed when it is carried out, or won't be. */
  interface Entry extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Batch of records that share a sync. The thread that begins the batch leads it; the other
   * threads only wait for the result.
   */
  private final class Batch implements Entry {
    private final List<LogRecord> records = new ArrayList<>();
    private final Semaphore done = new Semaphore(0);
    private @Nullable LogRecord first;
    private int bytes;
    private boolean over;
    private Optional<Exception> failure = Optional.empty();

    /** Where the records are, once they are durable. */
    private @Nullable LogSegment segment;

    void add(LogRecord record) {
      first = first == null ? record : first;
      records.add(record);
      bytes += record.mostBytes();
    }

    @SuppressWarnings("ReferenceEquality") // an equal one may be another's
    boolean isLedBy(LogRecord record) {
      return first == record;
    }

    /** Gives up the batch; to be called in place of {@code await} by a thread that breaks off. */
    void abandon() {
      done.acquireUninterruptibly();
      if (segment != null) {
        carriedOut(segment);
      }
    }

    /**
     * Waits for the sync. Each waiting thread gets a new exception, since each has a stack of its
     * own.
     */
    void await() throws IOException {
      done.acquireUninterruptibly();
      if (segment != null) {
        return;
      }
      if (failure.isEmpty()) {
        throw new InDoubtException();
      }
      if (failure.get() instanceof InDoubtException doubt) {
        throw new InDoubtException(doubt);
      }
      throw new IOException(failure.get().getMessage(), failure.get());
    }

    @Override
    public void close() {
      carriedOut(Objects.requireNonNull(segment, "who closes it has been answered"));
    }
  }
}
