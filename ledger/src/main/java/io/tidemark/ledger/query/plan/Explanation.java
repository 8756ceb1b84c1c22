// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import java.util.List;
import java.util.Optional;

/**
 * How a query is answered.
 *
 * @param engine who answers it
 * @param commitId the commit it is pinned to
 * @param versions the types with rows of other versions of their schema than they are shown in
 * @param filter the condition as it was understood
 * @param sql the statement; empty when there is none
 * @param files those that have rows of the window, in the order of commits
 * @param course how it went
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
   * A file.
   *
   * @param fetched how many of its bytes came from the store just now: all or none
   */
  public record File(String path, long minCommit, long maxCommit, long bytes, long fetched) {}

  /**
   * How it went.
   *
   * @param steps how the engine goes about it, in its own words
   * @param work what it did when it answered; empty when nobody counted
   */
  public record Execution(String steps, Optional<ExecutionStatistics> work) {}

  /**
   * What an engine did to answer. A file counts each time that the statement reads it.
   *
   * @param filesRead how many files were read
   * @param rowGroups how many groups of rows these have, or the tables of a replica
   * @param rowGroupsRead how many of these were read; the others can't have rows of the answer
   * @param bytesRead how much was read of files: parts of columns, and what tells where they are
   * @param memory how much memory the engine took at most, in bytes
   * @param spilled how much of the disk it took at most, since that memory wouldn't do
   */
  public record ExecutionStatistics(
      long filesRead,
      long rowGroups,
      long rowGroupsRead,
      long bytesRead,
      long memory,
      long spilled) {}

  /** How the engine goes about it, in its own words. */
  public String steps() {
    return course.steps();
  }

  /** How many bytes the files have. */
  public long bytes() {
    return files.stream().mapToLong(File::bytes).sum();
  }
}
