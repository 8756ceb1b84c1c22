// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ancestry of commits through merges: the lineage of a commit, and those of the commits that it
 * merged from other branches. Each commit records the newest of these, so no chain is walked for
 * it.
 */
record Ancestry(ManifestChain chain) {

  /** Returns whether a commit's ancestry includes an earlier commit. */
  boolean includes(Link commit, Link earlier) {
    return tips(commit).stream().anyMatch(tip -> new Lineage(chain, tip).contains(earlier));
  }

  private List<Link> tips(Link commit) {
    List<Link> tips = new ArrayList<>(List.of(commit));
    tips.addAll(ManifestCompleter.complete(chain, chain.at(commit)).merged());
    return tips;
  }

  /**
   * Returns the merge bases: the newest commits that both include, of which none includes another.
   * There is one, unless two branches have merged each other at the same time.
   */
  List<Link> bases(Link one, Link other) {
    Set<Link> common = new LinkedHashSet<>();
    for (Link a : tips(one)) {
      for (Link b : tips(other)) {
        new Lineage(chain, a).commonAncestor(new Lineage(chain, b)).ifPresent(common::add);
      }
    }
    return newest(List.copyOf(common));
  }

  private List<Link> newest(List<Link> commits) {
    return commits.stream()
        .filter(
            each ->
                commits.stream().noneMatch(other -> !other.equals(each) && includes(other, each)))
        .toList();
  }

  /** Returns the merged commits of a commit that follows the target and merges the source. */
  List<Link> merged(Link target, Link source) {
    Set<Link> all = new LinkedHashSet<>(tips(source));
    all.addAll(tips(target).subList(1, tips(target).size()));
    Lineage own = new Lineage(chain, target);
    List<Link> foreign = all.stream().filter(link -> !own.contains(link)).toList();
    return foreign.stream()
        .filter(
            each ->
                foreign.stream()
                    .noneMatch(
                        other -> !other.equals(each) && new Lineage(chain, other).contains(each)))
        .toList();
  }
}
