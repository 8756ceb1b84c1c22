// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.ledger.internal.duckdb.SpillDirectory;
import io.tidemark.ledger.query.plan.CancellationToken;
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
 * Pool of processes that run statements, each with hard limits. Few are kept for later statements;
 * one that was ended is replaced at once. All users of a cache directory in this process share
 * them, and the last to close ends those that are idle; statements that are under way then come to
 * their end first, and their processes with them. Safe for use by several threads.
 */
public final class SqlProcessPool implements SqlRunner {

  private static final Logger LOG = LoggerFactory.getLogger(SqlProcessPool.class);

  private static final int IDLE = 2;

  /** Guarded by itself, as is what is in the pools. */
  private static final Map<Path, IdleProcesses> SHARED = new HashMap<>();

  /** Idle processes of a cache directory, the last used first. */
  private static final class IdleProcesses {
    private final Path cache;
    private final Deque<SqlProcess> idle = new ArrayDeque<>();
    private int users;

    IdleProcesses(Path cache) {
      this.cache = cache;
    }

    void keep(SqlProcess process) {
      process.markIdle();
      idle.push(process);
      while (idle.size() > IDLE) {
        idle.removeLast().kill();
      }
    }
  }

  private final IdleProcesses idleProcesses;
  private final HardLimits hard;
  private boolean closed;

  private SqlProcessPool(IdleProcesses idleProcesses, HardLimits hard) {
    this.idleProcesses = idleProcesses;
    this.hard = hard;
  }

  /**
   * Returns the processes of a cache directory, which the system has to limit; the caller closes
   * them.
   *
   * @param cache where the driver's library is, and what doesn't fit into memory
   */
  public static SqlProcessPool in(Path cache) {
    return in(cache, HardLimits.ofThisMachine(true));
  }

  /**
   * Returns those of a cache directory, which have no hard limits where the system can't set any.
   */
  public static SqlProcessPool withOptionalLimits(Path cache) {
    return in(cache, HardLimits.ofThisMachine(false));
  }

  static SqlProcessPool in(Path cache, HardLimits hard) {
    synchronized (SHARED) {
      IdleProcesses idleProcesses = SHARED.computeIfAbsent(cache, IdleProcesses::new);
      idleProcesses.users++;
      return new SqlProcessPool(idleProcesses, hard);
    }
  }

  @Override
  public SqlRun begin(String text, SqlLimits limits, CancellationToken cancellationToken) {
    synchronized (SHARED) {
      if (closed) {
        throw new IllegalStateException("the ledger was closed, and its queries with it");
      }
    }
    cancellationToken
        .throwIfCancelled(); // a statement that was ended before it began needs no process
    hard.check();
    Path spill = SpillDirectory.newPath(idleProcesses.cache.resolve("spill"));
    SpillDirectory.prepare(spill);
    return new ProcessRun(new ProcessRun.Statement(text, limits, spill), this, cancellationToken);
  }

  /** Takes an idle process that suits, or starts one. */
  SqlProcess take(SqlLimits limits) {
    synchronized (SHARED) {
      dropDead();
      for (Iterator<SqlProcess> all = idleProcesses.idle.iterator(); all.hasNext(); ) {
        SqlProcess process = all.next();
        if (process.accepts(limits, hard)) {
          all.remove();
          return process;
        }
      }
    }
    return start(limits);
  }

  /** Starts a process. */
  SqlProcess start(SqlLimits limits) {
    return SqlProcess.start(idleProcesses.cache, limits, hard);
  }

  private void dropDead() {
    idleProcesses.idle.removeIf(process -> !process.isAlive());
  }

  /** Takes back a process that has nothing to do. */
  void giveBack(SqlProcess process) {
    synchronized (SHARED) {
      if (idleProcesses.users > 0) {
        idleProcesses.keep(process);
      } else {
        process.kill();
      }
    }
  }

  /** Starts a process for later statements with some limits, unless one is idle. */
  public void prepare(SqlLimits limits) {
    synchronized (SHARED) {
      dropDead();
      if (closed || !idleProcesses.idle.isEmpty()) {
        return;
      }
      try {
        idleProcesses.keep(start(limits));
      } catch (StoreUnavailableException e) {
        LOG.debug("the next statement will say so", e);
      }
    }
  }

  /** Closes this user's share of the pool; closing again does nothing. */
  @Override
  public void close() {
    List<SqlProcess> unused;
    synchronized (SHARED) {
      if (closed) {
        return;
      }
      closed = true;
      idleProcesses.users--;
      if (idleProcesses.users > 0) {
        return;
      }
      SHARED.remove(idleProcesses.cache, idleProcesses);
      unused = List.copyOf(idleProcesses.idle);
      idleProcesses.idle.clear();
    }
    unused.forEach(SqlProcess::kill);
    unused.forEach(SqlProcess::end);
  }
}
