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
 * Where a branch stood at one moment, for whoever compares it with the same ledger in another store
 * or takes it over there. Commits have the same paths in all stores, and nobody makes a path twice;
 * so two lineages can be compared link by link though each is read from a store of its own.
 *
 * @param objects of the branch
 * @param base its head, and its newest commit, which says everything
 */
public record BranchPosition(LedgerObjects objects, ManifestChain chain, PinnedHead base) {

  /** The newest commit; empty when there is none. */
  public Optional<Link> tip() {
    return base.head().tip();
  }

  /**
   * The newest commit and those that were the newest of other branches when they were merged: all
   * that the branch is made of is in the lineages of these.
   */
  public List<Link> tips() {
    List<Link> tips = new ArrayList<>(tip().stream().toList());
    base.newest().ifPresent(newest -> tips.addAll(newest.merged()));
    return tips;
  }

  /** A commit and all before it, read from this store. */
  public Lineage lineage(Link commit) {
    return new Lineage(chain, commit);
  }

  /** Whether a commit is one of the branch's own, or was taken in by a merge. */
  public boolean includes(Link commit) {
    return tips().stream().anyMatch(tip -> lineage(tip).contains(commit));
  }

  /** The content id of what a commit says of itself. */
  public String contentId(Link commit) {
    return Cid.ofJson(
        objects
            .get(commit.path())
            .orElseThrow(() -> objects.corrupt(commit.path(), "is missing"))
            .bytes());
  }
}
