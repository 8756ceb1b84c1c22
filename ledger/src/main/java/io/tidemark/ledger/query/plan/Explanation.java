// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import java.util.List;
import java.util.Optional;

/**
 * Explanation of how a query is answered.
 *
 * @param engine the engine that answers it
 * @param commitId the commit it is pinned to
 * @param versions the types with rows of other versions of their schema than they are shown in
 * @param filter the condition as it was parsed
 * @param sql the statement; empty when there is none
 * @param files files with rows of the window, in the order of commits
 * @param course the execution
 */
public record Explanation(
    String engine,
    long commitId,
    Window window,
    List<VersionMix> versions,
    String filter,
    String sql,
    List<File> files,
    Execution course) {

  public Explanation {
    versions = List.copyOf(versions);
    files = List.copyOf(files);
  }

  /**
   * File that a query reads.
   *
   * @param fetched number of its bytes that were just fetched from the store: all or none
   */
  public record File(String path, long minCommit, long maxCommit, long bytes, long fetched) {}

  /**
   * Execution of a query.
   *
   * @param steps the engine's own description of its steps
   * @param work statistics of the run; empty when none were taken
   */
  public record Execution(String steps, Optional<ExecutionStatistics> work) {}

  /**
   * Statistics of a run. A file counts each time that the statement reads it.
   *
   * @param filesRead number of files that were read
   * @param rowGroups number of row groups of these, or of the tables of a replica
   * @param rowGroupsRead number of these that were read; the rest can't have rows of the answer
   * @param bytesRead number of bytes that were read of files: parts of columns, and their locations
   * @param memory peak memory of the engine, in bytes
   * @param spilled peak disk space of the engine in bytes, when that memory wasn't enough
   */
  public record ExecutionStatistics(
      long filesRead,
      long rowGroups,
      long rowGroupsRead,
      long bytesRead,
      long memory,
      long spilled) {}

  /** Returns the engine's own description of its steps. */
  public String steps() {
    return course.steps();
  }

  /** Returns the total size of the files in bytes. */
  public long bytes() {
    return files.stream().mapToLong(File::bytes).sum();
  }
}
