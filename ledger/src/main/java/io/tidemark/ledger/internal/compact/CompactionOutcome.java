// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.store.TypeIndex.Entry;

/** Outcome of a merge. */
public sealed interface CompactionOutcome {

  FileMerge merge();

  /** The index names the snapshot instead of the merged files. */
  record Merged(FileMerge merge, Entry snapshot) implements CompactionOutcome {}

  /**
   * The head has moved to a state in which the files aren't in the index any more: another process
   * has compacted or dropped the type meanwhile. The index is unchanged.
   */
  record Stale(FileMerge merge) implements CompactionOutcome {}
}
