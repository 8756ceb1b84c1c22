// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.compact;

import io.tidemark.ledger.commit.Publisher;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.TypeIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts a type in the background when a commit of this process has made a tier of it full. Looks
 * at the index that was written after the commit, so that it costs no request as long as there is
 * nothing to do. No commit waits for it or fails by it; what goes wrong is said in the log, and
 * tried again when as many files have been added as make a tier.
 */
public final class AutomaticCompaction implements Publisher, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AutomaticCompaction.class);
  private static final long IDLE_SECONDS = 10;
  private static final int REST = 8;

  private final Publisher told;
  private final Compaction compaction;
  private final ThreadPoolExecutor thread = thread();

  /**
   * Types that wait or are being compacted, and those that failed: from how many files on again.
   */
  private final Map<TypeId, Integer> notBefore = new HashMap<>();

  private volatile boolean closed;

  /**
   * Follows the commits of a process.
   *
   * @param told is told of what this is told of, too
   */
  public AutomaticCompaction(Publisher told, Compaction compaction) {
    this.told = told;
    this.compaction = compaction;
  }

  private static ThreadPoolExecutor thread() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "tidemark-ledger-compaction");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  public void publish(long commitId, String manifestId) {
    told.publish(commitId, manifestId);
  }

  @Override
  public boolean isBehind(long commitId) {
    return told.isBehind(commitId);
  }

  @Override
  public void indexed(TypeIndex index) {
    told.indexed(index);
    if (closed || Compaction.merges(index, Extent.FULL_TIERS).isEmpty()) {
      return;
    }
    synchronized (notBefore) {
      if (index.entries().size() < notBefore.getOrDefault(index.type(), 0)) {
        return;
      }
      notBefore.put(index.type(), Integer.MAX_VALUE);
    }
    thread.execute(() -> compact(index.type(), index.entries().size()));
  }

  private void compact(TypeId type, int files) {
    int next = 0;
    try {
      Plan plan = compaction.plan(Extent.FULL_TIERS, List.of(type));
      compaction.run(plan, (merge, rows) -> requireOpen());
    } catch (CancellationException e) {
      LOG.debug("the compaction of {} was given up, since the ledger is closed", type);
    } catch (RuntimeException e) {
      next = files + REST;
      LOG.warn("compacting {} failed, and will be tried again: {}", type, e.getMessage());
    } finally {
      synchronized (notBefore) {
        notBefore.put(type, next);
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new CancellationException("the ledger is closed");
    }
  }

  /** Gives up what is under way, which leaves the ledger as it was. */
  @Override
  public void close() {
    closed = true;
    thread.shutdown();
    try {
      if (!thread.awaitTermination(IDLE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("a compaction still waits for the store; it ends when that has answered");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
