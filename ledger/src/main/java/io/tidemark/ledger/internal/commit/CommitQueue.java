// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.commit.LockContentionException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Queue in which the threads of one process write one after the other, in order of arrival. */
final class CommitQueue {

  private final String location;
  private final Duration patience;
  private final ReentrantLock turn = new ReentrantLock(true);
  private volatile boolean ended;

  /**
   * Creates the queue of the ledger at a location.
   *
   * @param patience maximum wait of a thread for its turn
   */
  CommitQueue(String location, Duration patience) {
    this.location = location;
    this.patience = patience;
  }

  /**
   * Runs work when the turn of this thread comes.
   *
   * @param done runs at the end of the turn, before the next one
   * @throws LockContentionException when other threads take too long
   */
  <T> T run(Supplier<T> work, Runnable done) {
    await();
    try {
      if (ended) {
        throw new IllegalStateException(
            "the ledger in " + location + " was closed; open it again to write to it");
      }
      return work.get();
    } finally {
      done.run();
      turn.unlock();
    }
  }

  private void await() {
    try {
      if (turn.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new LockContentionException(
        "other threads of this process write to the ledger in "
            + location
            + "; waited "
            + patience.toMillis()
            + " ms for a turn: try again");
  }

  /** Waits for the turn that is under way; threads that wait for theirs then fail. */
  void shutDown(Runnable last) {
    ended = true;
    turn.lock();
    try {
      last.run();
    } finally {
      turn.unlock();
    }
  }
}
