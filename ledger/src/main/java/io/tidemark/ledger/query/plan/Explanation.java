// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import java.util.List;

/**
 * How a query is answered.
 *
 * @param engine who answers it
 * @param commitId the commit it is pinned to
 * @param filter the condition as it was understood
 * @param sql the statement; empty when there is none
 * @param files what is read, in the order of commits
 * @param steps how the engine goes about it, in its own words
 */
public record Explanation(
    String engine,
    long commitId,
    Window window,
    String filter,
    String sql,
    List<File> files,
    String steps) {

  public Explanation {
    files = List.copyOf(files);
  }

  /**
   * A file.
   *
   * @param fetched how many of its bytes came from the store just now: all or none
   */
  public record File(String path, long minCommit, long maxCommit, long bytes, long fetched) {}

  /** How many bytes the files have. */
  public long bytes() {
    return files.stream().mapToLong(File::bytes).sum();
  }
}
