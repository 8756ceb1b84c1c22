// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

/** Is told how far a compaction is, by the thread that does it. What it throws ends the merge. */
@FunctionalInterface
public interface CompactionListener {

  /** So many rows of a merge have been read; called every few hundred. */
  void rowsRead(FileMerge fileMerge, long rows);

  static CompactionListener none() {
    return (fileMerge, rows) -> {};
  }
}
