// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.objects.natives.CacheDirectory;
import java.nio.file.Path;

/**
 * How queries are answered.
 *
 * @param replica whether rows are kept in a database of their own
 * @param cache where copies of data files and replicas are kept; may be shared by processes
 * @param memoryLimit how much memory DuckDB takes before it uses the disk, such as {@code 1GB}
 * @param cacheBytes how large the copies of data files may be together
 * @param isolation where statements in SQL run
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

  /** Who answers. */
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

  /** When DuckDB keeps the rows of a type in a local replica, and reads that. */
  public enum Replication {
    /** From the first query of a type on: the one who goes on asking gains by it. */
    KEPT,
    /**
     * When there is one already, or when the type is in so many files that reading these takes as
     * long: for who asks once and goes.
     */
    IF_WARM,
    /** Never: the files are read each time. */
    NONE
  }

  /** Where statements in SQL run. */
  public enum Isolation {
    /** In this process: a single call of a function may go beyond the limits of a statement. */
    THIS_PROCESS,
    /**
     * In processes of their own, which are killed when they go beyond the limits. Where the system
     * can't limit a process no statement is run.
     */
    OWN_PROCESS,
    /**
     * In processes of their own; where the system can't limit a process, DuckDB's own limits and
     * the time are all that hold a statement.
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

  /** DuckDB with a replica, and a cache in the user's own cache directory. */
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
