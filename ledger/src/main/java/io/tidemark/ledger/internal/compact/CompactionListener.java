// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

/** Listener for the progress of a compaction, called by its thread. An exception ends the merge. */
@FunctionalInterface
public interface CompactionListener {

  /** Receives the number of rows of a merge that have been read; called every few hundred. */
  void rowsRead(FileMerge fileMerge, long rows);

  static CompactionListener none() {
    return (fileMerge, rows) -> {};
  }
}
