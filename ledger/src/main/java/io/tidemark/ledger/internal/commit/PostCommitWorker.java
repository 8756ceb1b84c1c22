// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.commit.CommitPublisher;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.TypeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker for the tasks that follow a commit and may lag behind it: updates of the indices of the
 * types it touched, and publication to the nameservice. One thread does them. When commits come
 * faster, it does the newest only, which includes the earlier ones. An index is written as a whole
 * and grows with the history, so under a busy writer it is rewritten a few times a second, not with
 * every commit. A failure is kept as a warning, and repaired with the next commit of this writer,
 * or of another that touches the same type; the nameservice is repaired also by a writer that finds
 * nothing to commit.
 */
final class PostCommitWorker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PostCommitWorker.class);
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private record Task(
      Manifest newest, Supplier<String> manifestId, Optional<String> epoch, Set<TypeId> types) {}

  private final IndexUpdater indices;
  private final CommitPublisher commitPublisher;

  /** Types whose index couldn't be updated; known to the working thread only. */
  private final Set<TypeId> behind = new HashSet<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Optional<Task> next = Optional.empty();
  private long rested = System.nanoTime();
  private int hurrying;
  private boolean working;
  private boolean started;
  private boolean closed;
  private volatile Optional<String> warning = Optional.empty();

  /** Prepares the worker; its thread starts with the first commit. */
  PostCommitWorker(
      LedgerObjects objects, ManifestChain manifestChain, CommitPublisher commitPublisher) {
    this.indices = new IndexUpdater(objects, manifestChain);
    this.commitPublisher = commitPublisher;
  }

  /**
   * Submits the tasks that follow a commit.
   *
   * @param manifestId the content id of its manifest, asked for when it is needed
   * @param touched types whose indices are to be updated
   */
  void submit(
      Manifest manifest, Supplier<String> manifestId, Optional<String> epoch, Set<TypeId> touched) {
    lock.lock();
    try {
      Set<TypeId> types = new HashSet<>(next.map(Task::types).orElse(Set.of()));
      types.addAll(touched);
      next = Optional.of(new Task(manifest, manifestId, epoch, types));
      if (!started) {
        started = true;
        Thread thread = new Thread(this::work, "tidemark-ledger-aftermath");
        thread.setDaemon(true);
        thread.start();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Submits the tasks of the newest commit if its writer is known to have had no time for them. */
  void repair(Manifest newest, Supplier<String> manifestId, Optional<String> epoch) {
    if (commitPublisher.isBehind(newest.commitId())) {
      submit(newest, manifestId, epoch, newest.touched());
    }
  }

  Optional<String> lastWarning() {
    return warning;
  }

  /** Waits until all tasks that were submitted so far are done. */
  void flush() {
    lock.lock();
    try {
      hurrying++;
      changed.signalAll();
      while (isBusy()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      hurrying--;
      lock.unlock();
    }
  }

  /** Waits until all tasks that were submitted so far are done, up to a limit. */
  void flush(Duration limit) {
    lock.lock();
    try {
      hurrying++;
      changed.signalAll();
      long left = limit.toNanos();
      while (isBusy() && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // an interrupt ends the wait early
    } finally {
      hurrying--;
      lock.unlock();
    }
  }

  private boolean isBusy() {
    return started && (working || next.isPresent());
  }

  private void work() {
    for (Optional<Task> task = await(); task.isPresent(); task = await()) {
      perform(task.get());
    }
  }

  /** Returns the next task, or empty when it is time to end. */
  private Optional<Task> await() {
    lock.lock();
    try {
      if (working) {
        rested = System.nanoTime() + REST_NANOS;
      }
      working = false;
      changed.signalAll();
      while (!closed && !isDue()) {
        awaitChange();
      }
      Optional<Task> task = next;
      next = Optional.empty();
      working = task.isPresent();
      return task;
    } finally {
      lock.unlock();
    }
  }

  private boolean isDue() {
    return next.isPresent() && (hurrying > 0 || System.nanoTime() - rested >= 0);
  }

  /** Waits until something changes, or the next task's time has come. */
  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private void awaitChange() {
    if (next.isEmpty()) {
      changed.awaitUninterruptibly();
      return;
    }
    try {
      changed.awaitNanos(rested - System.nanoTime());
    } catch (InterruptedException e) {
      hurrying++; // no code interrupts this thread; an interrupt would mean that it is to end
    }
  }

  private void perform(Task task) {
    List<String> failures = new ArrayList<>();
    behind.addAll(task.types());
    for (TypeId type : Set.copyOf(behind)) {
      Optional<String> failure = runLogged("the index of " + type, () -> advanceTo(type, task));
      failure.ifPresentOrElse(failures::add, () -> behind.remove(type));
    }
    long id = task.newest().commitId();
    runLogged("publishing commit " + id, () -> commitPublisher.publish(id, task.manifestId().get()))
        .ifPresent(failures::add);
    warning = failures.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", failures));
  }

  private void advanceTo(TypeId type, Task task) {
    if (indices.advanceTo(type, task.newest(), task.epoch()).isEmpty()) {
      throw new IllegalStateException("others kept writing it");
    }
  }

  private static Optional<String> runLogged(String what, Runnable work) {
    try {
      work.run();
      return Optional.empty();
    } catch (RuntimeException e) {
      LOG.warn("{} failed, and will be made good later: {}", what, e.getMessage());
      return Optional.of(what + " failed: " + e.getMessage());
    }
  }

  /** Does the remaining tasks, and ends. */
  @Override
  public void close() {
    flush();
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
