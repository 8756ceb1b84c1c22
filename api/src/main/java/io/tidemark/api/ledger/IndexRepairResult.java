// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;

/**
 * Repair of indices that was done, or would be.
 *
 * @param headCommitId newest commit, 0 for none
 * @param plannedTypes types whose index is written
 * @param misnamedCommitId commit that the nameservice takes or took for the newest, if it isn't
 * @param catalog damage of the catalog that is mended, in words
 * @param repairHead newest commit at the time of the repair; empty for a plan
 */
public record IndexRepairResult(
    long headCommitId,
    List<String> plannedTypes,
    Optional<Long> misnamedCommitId,
    List<String> catalog,
    boolean applied,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Long> repairHead) {

  public IndexRepairResult {
    plannedTypes = List.copyOf(plannedTypes);
    catalog = List.copyOf(catalog);
  }

  /** Returns whether there is nothing to repair. */
  @JsonIgnore
  public boolean isEmpty() {
    return plannedTypes.isEmpty() && misnamedCommitId.isEmpty() && catalog.isEmpty();
  }
}
