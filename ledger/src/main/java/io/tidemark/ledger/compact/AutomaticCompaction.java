// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.compact;

import io.tidemark.ledger.commit.Publisher;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.TypeIndex;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private static final int UNDER_WAY = Integer.MAX_VALUE;

  private final Publisher told;
  private final Compaction compaction;
  private final ThreadPoolExecutor thread = thread();

  /**
   * Types that wait or are being compacted, and those that failed: from how many files on again.
   */
  private final Map<TypeId, Integer> notBefore = new HashMap<>();

  /** Types of which there are more full tiers since their compaction began. */
  private final Set<TypeId> again = new HashSet<>();

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
      int least = notBefore.getOrDefault(index.type(), 0);
      if (index.entries().size() < least) {
        if (least == UNDER_WAY) {
          again.add(index.type());
        }
        return;
      }
      notBefore.put(index.type(), UNDER_WAY);
    }
    thread.execute(() -> compact(index.type(), index.entries().size()));
  }

  private void compact(TypeId type, int files) {
    try {
      do {
        Plan plan = compaction.plan(Extent.FULL_TIERS, List.of(type));
        compaction.run(plan, (merge, rows) -> requireOpen());
      } while (hasMore(type));
    } catch (CancellationException e) {
      LOG.debug("the compaction of {} was given up, since the ledger is closed", type);
    } catch (RuntimeException e) {
      rest(type, files);
      LOG.warn("compacting {} failed, and will be tried again: {}", type, e.getMessage());
    } catch (OutOfMemoryError e) {
      rest(type, files);
      LOG.warn("compacting {} needs more memory than there is; give the process more", type);
    }
  }

  private void rest(TypeId type, int files) {
    synchronized (notBefore) {
      again.remove(type);
      notBefore.put(type, files + REST);
    }
  }

  private boolean hasMore(TypeId type) {
    synchronized (notBefore) {
      boolean more = again.remove(type);
      if (!more) {
        notBefore.remove(type);
      }
      return more;
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
