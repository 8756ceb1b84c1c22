// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.ledger.internal.duckdb.SpillPlace;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.objects.StoreUnavailableException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes that run statements, each with hard limits. Few are kept for later statements; one that
 * was ended is replaced at once. All users of a cache directory in this process share them, and the
 * last to close ends those that are idle; statements that are under way then come to their end
 * first, and their processes with them. Safe for use by several threads.
 */
public final class SqlProcesses implements SqlRunner {

  private static final Logger LOG = LoggerFactory.getLogger(SqlProcesses.class);

  private static final int IDLE = 2;

  /** Guarded by itself, as is what is in the pools. */
  private static final Map<Path, Pool> SHARED = new HashMap<>();

  /** Idle processes of a cache directory, the last used first. */
  private static final class Pool {
    private final Path cache;
    private final Deque<SqlProcess> idle = new ArrayDeque<>();
    private int users;

    Pool(Path cache) {
      this.cache = cache;
    }

    void keep(SqlProcess process) {
      process.rest();
      idle.push(process);
      while (idle.size() > IDLE) {
        idle.removeLast().kill();
      }
    }
  }

  private final Pool pool;
  private final HardLimits hard;
  private boolean closed;

  private SqlProcesses(Pool pool, HardLimits hard) {
    this.pool = pool;
    this.hard = hard;
  }

  /**
   * Returns the processes of a cache directory, which the system has to limit; the caller closes
   * them.
   *
   * @param cache where the driver's library is, and what doesn't fit into memory
   */
  public static SqlProcesses in(Path cache) {
    return in(cache, HardLimits.ofThisMachine(true));
  }

  /**
   * Returns those of a cache directory, which have no hard limits where the system can't set any.
   */
  public static SqlProcesses withoutNeedOfLimits(Path cache) {
    return in(cache, HardLimits.ofThisMachine(false));
  }

  static SqlProcesses in(Path cache, HardLimits hard) {
    synchronized (SHARED) {
      Pool pool = SHARED.computeIfAbsent(cache, Pool::new);
      pool.users++;
      return new SqlProcesses(pool, hard);
    }
  }

  @Override
  public SqlRun begin(String text, SqlLimits limits, Stop stop) {
    synchronized (SHARED) {
      if (closed) {
        throw new IllegalStateException("the ledger was closed, and its queries with it");
      }
    }
    stop.check(); // a statement that was ended before it began needs no process
    hard.check();
    Path spill = SpillPlace.in(pool.cache.resolve("spill"));
    SpillPlace.prepare(spill);
    return new ProcessRun(new ProcessRun.Statement(text, limits, spill), this, stop);
  }

  /** Takes an idle one that suits, or starts one. */
  SqlProcess take(SqlLimits limits) {
    synchronized (SHARED) {
      dropDead();
      for (Iterator<SqlProcess> all = pool.idle.iterator(); all.hasNext(); ) {
        SqlProcess process = all.next();
        if (process.suits(limits, hard)) {
          all.remove();
          return process;
        }
      }
    }
    return start(limits);
  }

  /** Starts one. */
  SqlProcess start(SqlLimits limits) {
    return SqlProcess.start(pool.cache, limits, hard);
  }

  private void dropDead() {
    pool.idle.removeIf(process -> !process.isAlive());
  }

  /** Takes back one that has nothing to do. */
  void giveBack(SqlProcess process) {
    synchronized (SHARED) {
      if (pool.users > 0) {
        pool.keep(process);
      } else {
        process.kill();
      }
    }
  }

  /** Has a process get ready for statements with some limits, unless one is idle. */
  public void prepare(SqlLimits limits) {
    synchronized (SHARED) {
      dropDead();
      if (closed || !pool.idle.isEmpty()) {
        return;
      }
      try {
        pool.keep(start(limits));
      } catch (StoreUnavailableException e) {
        LOG.debug("the next statement will say so", e);
      }
    }
  }

  /** Closing again does nothing. */
  @Override
  public void close() {
    List<SqlProcess> unused;
    synchronized (SHARED) {
      if (closed) {
        return;
      }
      closed = true;
      pool.users--;
      if (pool.users > 0) {
        return;
      }
      SHARED.remove(pool.cache, pool);
      unused = List.copyOf(pool.idle);
      pool.idle.clear();
    }
    unused.forEach(SqlProcess::kill);
    unused.forEach(SqlProcess::end);
  }
}
