// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.store.TypeIndex.Entry;

/** What became of a merge. */
public sealed interface Outcome {

  Merge merge();

  /** The index names the snapshot instead of what it was made of. */
  record Merged(Merge merge, Entry snapshot) implements Outcome {}

  /**
   * The head has moved to a state in which the files aren't in the index any more: somebody else
   * has compacted or dropped the type meanwhile. The index is as they left it.
   */
  record Overtaken(Merge merge) implements Outcome {}
}
