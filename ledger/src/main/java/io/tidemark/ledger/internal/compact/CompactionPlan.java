// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import java.util.List;

/**
 * Plan of a compaction.
 *
 * @param head the newest commit when the plan was made
 */
public record CompactionPlan(long head, List<FileMerge> merges) {

  public CompactionPlan {
    merges = List.copyOf(merges);
  }
}
