// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one process, by which its writes become durable before anybody can see them.
 *
 * <p><b>A write</b> is appended with its key locked, and carried out, by a rename or an unlink,
 * once the record is durable. The files themselves are not synced. So a file may be torn when the
 * power fails, but then there is a record of it, and it is made again from that: see {@link
 * Recovery}.
 *
 * <p><b>Writers share syncs.</b> Whoever comes first while a sync is under way writes and syncs,
 * once it is over, the records of all who have come by then. A segment has its full length from the
 * start, so a sync is a single write to the disk, without the file system's journal.
 *
 * <p><b>A full segment</b> is settled in the background while writers go on in another: each file
 * it speaks of is synced as it is by then, once, however often it was written. Then the segment is
 * used again.
 *
 * <p><b>When a sync fails</b>, nobody knows what the disk has of those records, and a second sync
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

  /** Runs something while no other process settles or recovers. */
  interface Housekeeping {
    void alone(Settlement.Removal task) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(WriteLog.class);

  /** One to write, one to be settled. */
  private static final int SEGMENTS = 2;

  private final LogFolder folder;
  private final Settlement settlement;
  private final Housekeeping housekeeping;
  private final Machine machine;
  private final AtomicLong lastOrder = new AtomicLong(Long.MIN_VALUE);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<LogSegment> empty = new ArrayDeque<>();
  private final List<LogSegment> stuck = new ArrayList<>();
  private LogSegment active;
  private Batch filling = new Batch();
  private boolean syncing;
  private int settling;

  WriteLog(LogFolder folder, Settlement settlement, Housekeeping housekeeping, Machine machine)
      throws IOException {
    this.folder = folder;
    this.settlement = settlement;
    this.housekeeping = housekeeping;
    this.machine = machine;
    this.active = folder.newSegment();
  }

  /** To be called with the key locked: later than every earlier record of it. */
  long nextOrder() {
    return lastOrder.updateAndGet(last -> Math.max(last + 1, machine.ticks()));
  }

  /** Returns when the record is durable; any other error than doubt means that it is not there. */
  void append(LogRecord record) throws IOException {
    Batch batch;
    boolean first;
    lock.lock();
    try {
      batch = join(record);
      first = batch.records.size() == 1;
    } finally {
      lock.unlock();
    }
    if (first) {
      lead(batch);
    }
    batch.answer();
  }

  private Batch join(LogRecord record) {
    while (filling.bytes > 0 && filling.bytes + record.mostBytes() > machine.scale().batch()) {
      changed.awaitUninterruptibly();
    }
    filling.add(record);
    return filling;
  }

  /** Syncs what has been gathered, for all who wait for it, once the sync before is over. */
  private void lead(Batch batch) {
    lock.lock();
    try {
      while (syncing) {
        changed.awaitUninterruptibly();
      }
      syncing = true;
      try {
        letOthersJoin();
        filling = new Batch();
        makeRoom(batch.bytes);
        write(batch);
        batch.durable = true;
      } catch (IOException | RuntimeException e) {
        batch.failure = Optional.of(e);
      } finally {
        syncing = false;
        changed.signalAll();
      }
    } finally {
      if (filling == batch) { // nobody may join what is over
        filling = new Batch();
      }
      lock.unlock();
      batch.done.release(batch.records.size());
    }
  }

  /** Those whom the last sync has answered are likely to be on their way with the next write. */
  @SuppressWarnings("ThreadPriorityCheck") // only how many share the sync depends on it
  private void letOthersJoin() {
    lock.unlock();
    try {
      Thread.yield();
    } finally {
      lock.lock();
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
      if (!durable) {
        segment.seal();
      }
    }
  }

  private void makeRoom(int bytes) throws IOException {
    while (!active.hasRoomFor(bytes)) {
      if (!empty.isEmpty()) {
        settleInBackground(active);
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
      active = folder.newSegment();
    } catch (IOException e) {
      if (full.isSealed()) {
        throw e;
      }
      release(full);
      return;
    }
    settleInBackground(full);
  }

  private void settleInBackground(LogSegment segment) {
    settling++;
    machine.inBackground(() -> settle(segment));
  }

  private void settle(LogSegment segment) {
    boolean reusable = false;
    boolean settled = false;
    try {
      reusable = release(segment);
      settled = true;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} can't be settled and stays; check the disk", segment.path(), e);
    }
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
    sync(segment);
    boolean reusable = !segment.isSealed();
    housekeeping.alone(
        () ->
            settlement.release(
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

  private void sync(LogSegment segment) throws IOException {
    try {
      settlement.sync(segment.newest().keySet());
    } catch (IOException e) {
      segment.distrust();
      throw e;
    }
  }

  private void remove(LogSegment segment) throws IOException {
    segment.close();
    folder.remove(List.of(segment.path()));
  }

  /** Settles everything and removes the log; to be called when nobody appends any more. */
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

  /** Those who share a sync. Whoever begins it leads it; the others need nothing but the answer. */
  private static final class Batch {
    private final List<LogRecord> records = new ArrayList<>();
    private final Semaphore done = new Semaphore(0);
    private int bytes;
    private boolean durable;
    private Optional<Exception> failure = Optional.empty();

    void add(LogRecord record) {
      records.add(record);
      bytes += record.mostBytes();
    }

    /** A new exception for each who waits, since each has a stack of its own. */
    void answer() throws IOException {
      done.acquireUninterruptibly();
      if (durable) {
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
  }
}
