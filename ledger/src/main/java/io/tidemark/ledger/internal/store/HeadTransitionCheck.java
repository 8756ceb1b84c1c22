// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.List;
import java.util.Optional;

/**
 * Check whether a head follows another, so that nothing that was committed is lost by the step.
 *
 * <p>Commits are followed one by one from the new head to the old one, and each has to name those
 * ancestors that follow from its parent. A reader that looks for an older commit leaps by them, so
 * a commit with other ancestors would lead away from the history it seems to have.
 *
 * @param objects of the branch whose head it is
 * @param furthest how many commits a step may take
 */
public record HeadTransitionCheck(LedgerObjects objects, int furthest) {

  /** Number of commits that are read at once, and kept. */
  private static final int AT_ONCE = 100;

  /**
   * Returns the objection to a step, if there is one.
   *
   * @param before empty when there is no head any more, or not yet
   * @param next empty when there is to be none
   * @return why the one doesn't follow the other; empty when it does
   * @throws CorruptLedgerException when a commit on the way isn't there, or makes no sense
   */
  public Optional<String> objection(Optional<Head> before, Optional<Head> next) {
    if (before.isEmpty()) {
      return Optional.empty();
    }
    if (next.isEmpty()) {
      return Optional.of("it would end the branch");
    }
    return objection(before.get(), next.get());
  }

  private Optional<String> objection(Head before, Head next) {
    if (before.epoch().isPresent() && !before.epoch().equals(next.epoch())) {
      return Optional.of("it would begin the ledger or the branch anew, under another epoch");
    }
    if (!before.forked().equals(next.forked())) {
      return Optional.of("it says that the branch began elsewhere");
    }
    if (before.tip().isEmpty()) {
      return Optional.empty();
    }
    long distance = next.commitId() - before.commitId();
    if (distance < 0) {
      return Optional.of(
          "it would go back from commit " + before.commitId() + " to " + next.commitId());
    }
    if (distance > furthest) {
      return Optional.of(
          "it would go on by "
              + distance
              + " commits at once, and only "
              + furthest
              + " are looked at; go there in several steps, by branches that are made at commits in"
              + " between");
    }
    return objection(next.tip().orElseThrow(), before.tip().get());
  }

  private Optional<String> objection(Link tip, Link earlier) {
    Link link = tip;
    while (link.commitId() > earlier.commitId()) {
      long floor = Math.max(earlier.commitId(), link.commitId() - AT_ONCE);
      // With each of these stretches the manifests of the one before are forgotten.
      ManifestChain manifestChain = new ManifestChain(objects);
      Manifest manifest = manifestChain.at(link);
      if (link.commitId() > floor + 1) {
        manifestChain.prefetch(manifest, floor);
      }
      while (link.commitId() > floor) {
        Manifest parent = manifestChain.parent(manifest).orElseThrow();
        link = manifest.parent().orElseThrow();
        List<Link> ancestors = ManifestChain.ancestors(parent, link.path());
        if (!manifest.ancestors().map(ancestors::equals).orElse(true)) {
          return Optional.of(
              "commit "
                  + manifest.commitId()
                  + " names ancestors that don't follow from its parent");
        }
        manifest = parent;
      }
    }
    return link.equals(earlier)
        ? Optional.empty()
        : Optional.of("commit " + earlier.commitId() + ", " + earlier.path() + ", isn't behind it");
  }
}
