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
 * Lock with a queue of waiting threads, which a releasing thread may retain for a moment. Backends
 * use it because their threads lose fewer races when they change a record one after another.
 *
 * <p>A queue alone isn't fair to threads that compare and set. The thread that made the last change
 * knows the current state; the states that the queued threads know are stale. Each of them fails at
 * its turn and queues again, behind the thread that made the change and will succeed again. So a
 * thread whose change was refused may retry with the current state before the next in the queue.
 * Request threads of a server don't come back to retry; the more threads were waited for in vain,
 * the fewer are waited for.
 */
public final class HandoffLock {

  /** Long enough for a crowd on a store that takes a tenth of a second for a write. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Long enough for a thread to come back at once, and a short delay for other threads if it
   * doesn't.
   */
  private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final MonotonicTime time;
  private final ReentrantLock guard = new ReentrantLock();
  private final Deque<Condition> line = new ArrayDeque<>();

  /** Base-2 logarithm of the largest interval between waits where no thread comes back. */
  private static final int RAREST_LOG = 6;

  /** Thread that holds the lock; null when it is free. */
  private @Nullable Thread owner;

  /** Thread that may come back first; null when none may. */
  private @Nullable Thread keeper;

  private long keptAt;

  /** How many didn't come back, one after another. */
  private int inVain;

  /** How many are to leave at once before the next is waited for. */
  private int unawaited;

  /** Creates a lock that no thread holds yet. */
  public HandoffLock(MonotonicTime time) {
    this.time = time;
  }

  /**
   * Runs an action while no other thread holds the lock. Only speed may depend on that: after a
   * maximum wait (the store may be slow to answer the holder) the action runs without the lock.
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
