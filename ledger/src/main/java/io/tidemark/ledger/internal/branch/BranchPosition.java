// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.commit.Cid;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Position of a branch at one moment, to be compared with the same ledger in another store or to be
 * fast-forwarded to there. Commits have the same paths in all stores, and no path is used twice. So
 * two lineages can be compared link by link though each is read from a store of its own.
 *
 * @param objects objects of the branch
 * @param base its head, and its newest commit, with the state of all types
 */
public record BranchPosition(LedgerObjects objects, ManifestChain chain, PinnedHead base) {

  /** Returns the newest commit, or empty if there is none. */
  public Optional<Link> tip() {
    return base.head().tip();
  }

  /**
   * Returns the newest commit and the tips of other branches that were merged: the lineages of
   * these contain all commits of the branch.
   */
  public List<Link> tips() {
    List<Link> tips = new ArrayList<>(tip().stream().toList());
    base.newest().ifPresent(newest -> tips.addAll(newest.merged()));
    return tips;
  }

  /** Returns a commit and all before it, read from this store. */
  public Lineage lineage(Link commit) {
    return new Lineage(chain, commit);
  }

  /** Returns whether a commit is one of the branch's own, or was merged into it. */
  public boolean includes(Link commit) {
    return tips().stream().anyMatch(tip -> lineage(tip).contains(commit));
  }

  /** Returns the content id of a commit's manifest. */
  public String contentId(Link commit) {
    return Cid.ofJson(
        objects
            .get(commit.path())
            .orElseThrow(() -> objects.corrupt(commit.path(), "is missing"))
            .bytes());
  }
}
