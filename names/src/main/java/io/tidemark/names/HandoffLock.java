// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.MonotonicTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock whose waiters stand in a line, and which whoever leaves may keep for a moment. For
 * backends, whose threads lose fewer races when they change a record one after another.
 *
 * <p>A line alone isn't fair to those who compare and set. Whoever has just changed something knows
 * what is there; all who stood in line don't any more, and are sent to its end one after another
 * when their turn comes, behind the one who made the change and is the next to succeed again. So a
 * thread that was only told what is there may come back with that before the next in line. Threads
 * that work for others, as a server's do, don't come back; the more of them were waited for in
 * vain, the fewer are waited for.
 */
public final class HandoffLock {

  /** Long enough for a crowd on a store that takes a tenth of a second for a write. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Enough to come back at once, and not much for others if it doesn't. */
  private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final MonotonicTime time;
  private final ReentrantLock guard = new ReentrantLock();
  private final Deque<Condition> line = new ArrayDeque<>();

  /** At most one in so many is waited for where nobody comes back. */
  private static final int RAREST_LOG = 6;

  /** Whose turn it is; null when it is nobody's. */
  private @Nullable Thread owner;

  /** Who may come back first; null when nobody may. */
  private @Nullable Thread keeper;

  private long keptAt;

  /** How many didn't come back, one after another. */
  private int inVain;

  /** How many are to leave at once before the next is waited for. */
  private int unawaited;

  /** A turn that is nobody's yet. */
  public HandoffLock(MonotonicTime time) {
    this.time = time;
  }

  /**
   * Runs an action while no other thread has its turn. Nothing may depend on that but speed: after
   * a while (the store may be slow to answer somebody) the action is run all the same.
   *
   * @param comesBack whether this thread has to try again, to judge by the result
   */
  public <T> T runLocked(Supplier<T> action, Predicate<T> comesBack) {
    if (!acquire(LONGEST_WAIT_NANOS)) {
      return action.get();
    }
    boolean back = false;
    try {
      T result = action.get();
      back = comesBack.test(result);
      return result;
    } finally {
      if (back) {
        releaseReserved();
      } else {
        release();
      }
    }
  }

  /**
   * Waits for its turn, at most for so long.
   *
   * @return false when the time is over or the thread is interrupted
   */
  boolean acquire(long nanos) {
    long deadline = time.nanos() + nanos;
    guard.lock();
    try {
      if (owner == null
          && (keeper == Thread.currentThread() || (line.isEmpty() && !isReserved()))) {
        runLocked();
        return true;
      }
      return enqueueAndWait(deadline);
    } finally {
      guard.unlock();
    }
  }

  private boolean enqueueAndWait(long deadline) {
    Condition place = guard.newCondition();
    line.addLast(place);
    boolean first = false;
    try {
      while (!first) {
        boolean next = line.peekFirst() == place && owner == null;
        first = next && !isReserved();
        long left = deadline - time.nanos();
        if (!first && left <= 0) {
          return false;
        }
        if (!first) {
          long kept = keptAt + KEPT_NANOS - time.nanos();
          place.awaitNanos(next ? Math.min(left, Math.max(kept, 1)) : left);
        }
      }
      runLocked();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      line.remove(place);
      if (!first) {
        signalNext();
      }
    }
  }

  private void runLocked() {
    owner = Thread.currentThread();
    if (keeper == owner) {
      inVain = 0;
    } else if (keeper != null) {
      unawaited = (1 << Math.min(inVain, RAREST_LOG)) - 1;
      inVain++;
    }
    keeper = null;
  }

  private boolean isReserved() {
    return keeper != null && time.nanos() - keptAt < KEPT_NANOS;
  }

  /** Lets the next one in. */
  void release() {
    guard.lock();
    try {
      owner = null;
      signalNext();
    } finally {
      guard.unlock();
    }
  }

  /** Lets the next one in, unless this thread is back at once. */
  void releaseReserved() {
    guard.lock();
    try {
      owner = null;
      if (unawaited > 0) {
        unawaited--;
      } else {
        keeper = Thread.currentThread();
        keptAt = time.nanos();
      }
      signalNext();
    } finally {
      guard.unlock();
    }
  }

  private void signalNext() {
    Condition next = line.peekFirst();
    if (next != null) {
      next.signal();
    }
  }
}
