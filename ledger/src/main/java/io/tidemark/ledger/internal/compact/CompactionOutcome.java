// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.store.TypeIndex.Entry;

/** What became of a merge. */
public sealed interface CompactionOutcome {

  FileMerge merge();

  /** The index names the snapshot instead of what it was made of. */
  record Merged(FileMerge merge, Entry snapshot) implements CompactionOutcome {}

  /**
   * The head has moved to a state in which the files aren't in the index any more: somebody else
   * has compacted or dropped the type meanwhile. The index is as they left it.
   */
  record Stale(FileMerge merge) implements CompactionOutcome {}
}
