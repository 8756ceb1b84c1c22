// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * State of the indices of a ledger, and of its name.
 *
 * @param headCommitId newest commit, 0 for none
 * @param laggedTypes types whose index doesn't cover the last commit that touched them
 * @param missingLatest types of the newest commit that the index lacks
 * @param holes types whose index lacks another commit
 * @param misnamedCommitId commit that the nameservice takes for the newest, if it isn't
 * @param catalog damage of the catalog, in words
 * @param ok whether nothing is wrong; a name that only lags isn't
 * @param catalogRepairable whether a deep repair mends some of the catalog
 */
public record IndexReport(
    long headCommitId,
    List<String> laggedTypes,
    List<String> missingLatest,
    List<String> holes,
    Optional<Long> misnamedCommitId,
    List<String> catalog,
    boolean ok,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean catalogRepairable) {

  public IndexReport {
    laggedTypes = List.copyOf(laggedTypes);
    missingLatest = List.copyOf(missingLatest);
    holes = List.copyOf(holes);
    catalog = List.copyOf(catalog);
  }

  /** Returns the types whose index has to be written. */
  public SortedSet<String> broken() {
    SortedSet<String> all = new TreeSet<>(laggedTypes);
    all.addAll(missingLatest);
    all.addAll(holes);
    return all;
  }

  /** Returns whether the nameservice takes an earlier commit for the newest. */
  public boolean nameLags() {
    return misnamedCommitId.filter(named -> named < headCommitId).isPresent();
  }
}
