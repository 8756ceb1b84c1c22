// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.sql;

import io.tidemark.ledger.query.duckdb.SpillPlace;
import io.tidemark.ledger.query.plan.Stop;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Processes that run statements, each with hard limits. Few are kept for later statements; one that
 * was ended is replaced at once. All users of a cache directory in this process share them, and the
 * last to close ends those that are idle. Safe for use by several threads.
 */
public final class SqlProcesses implements SqlRunner {

  private static final int IDLE = 2;
  private static final Map<Path, SqlProcesses> SHARED = new HashMap<>();

  private final Path cache;
  private final Deque<SqlProcess> idle = new ArrayDeque<>();
  private int users;

  private SqlProcesses(Path cache) {
    this.cache = cache;
  }

  /**
   * Returns the processes of a cache directory; the caller closes them.
   *
   * @param cache where the driver's library is, and what doesn't fit into memory
   */
  public static SqlProcesses in(Path cache) {
    synchronized (SHARED) {
      SqlProcesses processes = SHARED.computeIfAbsent(cache, SqlProcesses::new);
      processes.users++;
      return processes;
    }
  }

  @Override
  public SqlRun begin(String text, SqlLimits limits, Stop stop) {
    stop.check(); // a statement that was ended before it began needs no process
    Path spill = SpillPlace.in(cache.resolve("spill"));
    SpillPlace.prepare(spill);
    return new ProcessRun(new ProcessRun.Statement(text, limits, spill), this, stop);
  }

  /** Takes one that suits, or starts one. */
  SqlProcess take(SqlLimits limits) {
    synchronized (SHARED) {
      for (Iterator<SqlProcess> all = idle.iterator(); all.hasNext(); ) {
        SqlProcess process = all.next();
        if (process.suits(limits)) {
          all.remove();
          return process;
        }
      }
    }
    return SqlProcess.start(cache, limits);
  }

  /** Takes back one that has nothing to do. */
  void giveBack(SqlProcess process) {
    synchronized (SHARED) {
      if (users > 0) {
        idle.push(process);
      } else {
        process.kill();
      }
      while (idle.size() > IDLE) {
        idle.removeLast().kill();
      }
    }
  }

  /** Has a process get ready for statements with some limits, unless one is idle. */
  public void prepare(SqlLimits limits) {
    synchronized (SHARED) {
      if (users > 0 && idle.isEmpty()) {
        idle.push(SqlProcess.start(cache, limits));
      }
    }
  }

  /** To be called once by each user. */
  @Override
  public void close() {
    synchronized (SHARED) {
      users--;
      if (users == 0) {
        SHARED.remove(cache, this);
        idle.forEach(SqlProcess::kill);
        idle.clear();
      }
    }
  }
}
