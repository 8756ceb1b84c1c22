// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;

/**
 * Drops of branches that were interrupted and are finished now.
 *
 * @param name name of the ledger
 * @param dropped branches that are gone now
 * @param retracted retracted branches of which no branches are left, to be dropped or restored
 */
public record FinishDropsResult(String name, List<String> dropped, List<String> retracted) {

  public FinishDropsResult {
    dropped = List.copyOf(dropped);
    retracted = List.copyOf(retracted);
  }
}
