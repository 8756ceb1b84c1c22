// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import java.util.List;

/**
 * What a compaction would do.
 *
 * @param head the newest commit when it was made
 */
public record Plan(long head, List<Merge> merges) {

  public Plan {
    merges = List.copyOf(merges);
  }
}
