// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.ledger.internal.branch.BranchPosition;
import io.tidemark.ledger.internal.branch.Lineage;
import io.tidemark.ledger.internal.store.ChainPrefetcher;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Set of the commits of a branch that another store lacks: of its own lineage, and of the lineages
 * of merged commits. Without the latter its rows could be read, but the base of the next merge and
 * the commits to keep would be unknown.
 *
 * <p>Where two lineages part is found in a few reads on either side; only what comes after that is
 * walked.
 */
final class MissingCommits {

  private final BranchPosition source;
  private final List<BranchPosition> known;

  /**
   * Finds the commits that are missing.
   *
   * @param known positions in the other store: the branch itself, and other branches that may share
   *     commits with it
   */
  MissingCommits(BranchPosition source, List<BranchPosition> known) {
    this.source = source;
    this.known = known;
  }

  /** Returns the oldest first. */
  List<Link> commits() {
    Set<Link> missing = new LinkedHashSet<>();
    source.tips().forEach(tip -> walk(tip, newestShared(tip), missing));
    List<Link> ordered = new ArrayList<>(missing);
    ordered.sort(Comparator.comparingLong(Link::commitId).thenComparing(Link::path));
    return ordered;
  }

  /** Returns the newest commit of a lineage that is there; 0 for none. */
  private long newestShared(Link tip) {
    Lineage lineage = source.lineage(tip);
    long newest = 0;
    for (BranchPosition branchPosition : known) {
      if (lacksRows(branchPosition)) {
        continue;
      }
      for (Link other : branchPosition.tips()) {
        Optional<Link> meeting = lineage.commonAncestor(branchPosition.lineage(other));
        newest = Math.max(newest, meeting.map(Link::commitId).orElse(0L));
      }
    }
    return newest;
  }

  /** A type that was dropped there, and not here, may have no files of shared commits there. */
  private boolean lacksRows(BranchPosition branchPosition) {
    Optional<Manifest> ours = source.base().newest();
    Optional<Manifest> theirs = branchPosition.base().newest();
    return ours.isPresent()
        && theirs.isPresent()
        && theirs.get().types().orElseThrow().entrySet().stream()
            .anyMatch(type -> type.getValue().floor() > ours.get().type(type.getKey()).floor());
  }

  private void walk(Link tip, long covered, Set<Link> missing) {
    ManifestChain manifestChain = source.chain();
    ChainPrefetcher chainPrefetcher = new ChainPrefetcher(manifestChain, covered + 1);
    Optional<Link> next = Optional.of(tip);
    while (next.isPresent() && next.get().commitId() > covered && missing.add(next.get())) {
      Manifest manifest = manifestChain.at(next.get());
      chainPrefetcher.beforeStep(manifest, manifest.commitId() - 1);
      next = manifestChain.parent(manifest).flatMap(parent -> manifest.parent());
    }
  }
}
