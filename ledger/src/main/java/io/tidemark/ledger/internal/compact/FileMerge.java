// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.TypeId;
import java.util.List;

/**
 * Merge of several files of a type into one.
 *
 * @param inputs neighbouring files, the oldest first; at least two
 */
public record FileMerge(TypeId type, List<Entry> inputs) {

  public FileMerge {
    inputs = List.copyOf(inputs);
    if (inputs.size() < 2) {
      throw new IllegalArgumentException("a merge takes two files or more, not " + inputs.size());
    }
  }

  public int entryCount() {
    return inputs.size();
  }

  /** Returns the first commit whose rows it has. */
  public long minCommitId() {
    return inputs.get(0).min();
  }

  /** Returns the last commit whose rows it has. */
  public long maxCommitId() {
    return inputs.get(inputs.size() - 1).max();
  }

  /** Returns the number of its rows, as far as the index has it. */
  public long rows() {
    return inputs.stream().mapToLong(entry -> entry.rowCount().orElse(0)).sum();
  }
}
