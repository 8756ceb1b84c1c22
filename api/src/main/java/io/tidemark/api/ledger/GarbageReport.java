// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.time.Instant;
import java.util.List;

/**
 * Garbage of a ledger that was deleted, or would be.
 *
 * @param applied whether it was deleted
 * @param bytes bytes of all of it
 * @param leftovers files of commits that no branch has, and of purged types
 * @param snapshots snapshots that were compacted into others
 */
public record GarbageReport(
    long minAgeSeconds,
    boolean applied,
    long bytes,
    List<OrphanedFiles> leftovers,
    List<Snapshot> snapshots) {

  /**
   * Files of an attempt to commit.
   *
   * @param newest when the newest of them was written
   */
  public record OrphanedFiles(
      String directory, long commitId, int objects, long bytes, Instant newest) {}

  /**
   * A snapshot.
   *
   * @param since when it went out of use
   */
  public record Snapshot(String path, long bytes, Instant since) {}

  public GarbageReport {
    leftovers = List.copyOf(leftovers);
    snapshots = List.copyOf(snapshots);
  }
}
