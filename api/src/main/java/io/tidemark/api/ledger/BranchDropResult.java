// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;

/**
 * Outcome of dropping a branch.
 *
 * @param address the branch, as {@code name:branch}
 * @param outcome {@code gone}, or {@code retracted} as long as branches were made from it
 * @param cascaded branches that went with it
 * @param retracted retracted branches of which no branches are left, to be dropped or restored
 */
public record BranchDropResult(
    String address, String outcome, List<String> cascaded, List<String> retracted) {

  public BranchDropResult {
    cascaded = List.copyOf(cascaded);
    retracted = List.copyOf(retracted);
  }
}
