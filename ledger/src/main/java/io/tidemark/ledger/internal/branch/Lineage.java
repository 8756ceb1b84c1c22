// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import java.util.Optional;

/**
 * Lineage of a commit: the commit and all before it, one after the other to the first. Two lineages
 * have the same commits up to where they part, and none in common after that.
 */
public record Lineage(ManifestChain chain, Link tip) {

  /** Empty state before the first commit: a lineage without a commit. */
  static final Link BEGINNING = new Link(0, "");

  /** Returns the commit of that id in this lineage, from 1 to the tip's. */
  public Link at(long id) {
    if (id == tip.commitId()) {
      return tip;
    }
    Manifest child = chain.find(chain.at(tip), id + 1);
    return child.parent().orElseThrow();
  }

  public boolean contains(Link commit) {
    return commit.commitId() >= 1
        && commit.commitId() <= tip.commitId()
        && at(commit.commitId()).equals(commit);
  }

  /**
   * Returns the last commit that both have, or empty if they have none. Searches in steps that
   * double from the tips back, and then by halving: branches mostly part not long ago.
   */
  public Optional<Link> commonAncestor(Lineage other) {
    long apart = Math.min(tip.commitId(), other.tip.commitId()) + 1;
    long together = apart - 1;
    for (long step = 1; together > 0 && !isSharedWith(other, together); step *= 2) {
      apart = together;
      together = Math.max(0, together - step);
    }
    while (apart - together > 1) {
      long middle = together + (apart - together) / 2;
      if (isSharedWith(other, middle)) {
        together = middle;
      } else {
        apart = middle;
      }
    }
    return together == 0 ? Optional.empty() : Optional.of(at(together));
  }

  private boolean isSharedWith(Lineage other, long id) {
    return at(id).equals(other.at(id));
  }
}
