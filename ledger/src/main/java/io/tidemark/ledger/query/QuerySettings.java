// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.objects.natives.CacheDirectory;
import java.nio.file.Path;

/**
 * Settings of queries.
 *
 * @param replica when rows are kept in a local database
 * @param cache directory of the copies of data files and of replicas; may be shared by processes
 * @param memoryLimit memory that DuckDB takes before it uses the disk, such as {@code 1GB}
 * @param cacheBytes maximum total size of the copies of data files
 * @param isolation process that SQL statements run in
 */
@RecordBuilder
public record QuerySettings(
    Engine engine,
    Replication replica,
    Path cache,
    String memoryLimit,
    long cacheBytes,
    Isolation isolation)
    implements QuerySettingsBuilder.With {

  private static final long STANDARD_CACHE = 4L << 30;

  /** Engine that answers queries. */
  public enum Engine {
    /** DuckDB on local copies of the files. */
    DUCKDB,
    /** Java, row by row: nothing is kept on the disk and no native library is loaded. */
    SCAN,
    /**
     * {@link #SCAN} while the files of a query are small, else {@link #DUCKDB}: for a process that
     * asks once, in which loading DuckDB would take longer than the answer.
     */
    BY_SIZE
  }

  /** Condition for keeping the rows of a type in a local replica, which DuckDB then reads. */
  public enum Replication {
    /** From the first query of a type on: a process with many queries gains by it. */
    KEPT,
    /**
     * When there is a replica already, or when the type is in so many files that reading these
     * takes as long: for a process with a single query.
     */
    IF_WARM,
    /** Never: the files are read each time. */
    NONE
  }

  /** Process that SQL statements run in. */
  public enum Isolation {
    /** In this process: a single call of a function may go beyond the limits of a statement. */
    THIS_PROCESS,
    /**
     * In processes of their own, which are killed when they exceed the limits. Where the system
     * can't limit a process, no statement is run.
     */
    OWN_PROCESS,
    /**
     * In processes of their own. Where the system can't limit a process, only DuckDB's own limits
     * and the timeout hold a statement.
     */
    UNLIMITED_PROCESS
  }

  public QuerySettings {
    cache = cache.toAbsolutePath();
    if (cache.toString().matches(".*[*?\\[\\]{}].*")) {
      throw new InvalidQueryException(
          "the cache "
              + cache
              + " has one of * ? [ ] { } in its path, which DuckDB takes for a"
              + " pattern; name another directory");
    }
  }

  /**
   * Returns the default settings: DuckDB with a replica, and a cache in the user's cache directory.
   */
  public static QuerySettings standard() {
    return new QuerySettings(
        Engine.DUCKDB,
        Replication.KEPT,
        CacheDirectory.standard(),
        "1GB",
        STANDARD_CACHE,
        Isolation.THIS_PROCESS);
  }
}
