// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.CatalogMerge;
import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Two sides of a merge at one moment. All results of a merge are computed from one instance, and
 * apply to that very head of the target and that very commit of the source. Later commits of the
 * source are for the next merge.
 *
 * @param objects objects of the source
 * @param types types of both sides, by their documents
 */
record MergeInputs(
    BranchMerge.Target target,
    LedgerObjects objects,
    CatalogMerge types,
    PinnedHead ours,
    PinnedHead theirs,
    Link our,
    Link their) {

  /**
   * Reads the current source, with the given head of the target.
   *
   * @throws UnknownBranchException when there is no such source
   */
  static MergeInputs read(BranchMerge.Target target, BranchName source, PinnedHead ours) {
    LedgerObjects named = target.objects().forBranch(source);
    ManifestChain manifestChain = target.chain();
    Head.Versioned head = Head.read(named).orElseThrow(() -> gone(target, source));
    LedgerObjects objects = named.forHead(head.head());
    Link their = head.head().tip().orElseThrow(() -> empty(source));
    return new MergeInputs(
        target,
        objects,
        new CatalogMerge(target.catalog(), new Catalog(objects, manifestChain)),
        ours,
        new PinnedHead(
            head, Optional.of(ManifestCompleter.complete(manifestChain, manifestChain.at(their)))),
        ours.head().tip().orElseThrow(() -> empty(target.objects().branch())),
        their);
  }

  private static UnknownBranchException gone(BranchMerge.Target target, BranchName source) {
    return new UnknownBranchException(source.text(), target.objects().location());
  }

  private static BranchRefusedException empty(BranchName branch) {
    return new BranchRefusedException(branch + " has no commit yet; commit first, and merge then");
  }

  BranchName source() {
    return objects.branch();
  }

  ManifestChain chain() {
    return target.chain();
  }

  Ancestry ancestry() {
    return new Ancestry(chain());
  }

  boolean isUpToDate() {
    return ancestry().includes(our, their);
  }

  /** Returns whether all commits of the target are part of the source's own lineage. */
  boolean isFastForward() {
    return new Lineage(chain(), their).contains(our);
  }

  /** Returns the merge bases: the newest commits that both sides have. */
  List<Link> bases() {
    return ancestry().bases(our, their);
  }

  MergeScan scan(ConflictResolution conflictResolution, ReadProgress read) {
    List<CommitState> bases = new ArrayList<>();
    for (Link base : bases()) {
      boolean isOfTarget = new Lineage(chain(), our).contains(base);
      bases.add(isOfTarget ? ofTarget(base, read) : ofSource(base, read));
    }
    return new MergeScan(bases, ofTarget(our, read), ofSource(their, read), conflictResolution);
  }

  private CommitState ofTarget(Link commit, ReadProgress read) {
    return new CommitState(target.objects(), chain(), ours.versioned(), commit, read);
  }

  private CommitState ofSource(Link commit, ReadProgress read) {
    return new CommitState(objects, chain(), theirs.versioned(), commit, read);
  }

  /** Returns the fast-forward to the source's newest commit. */
  HeadFastForward fastForward() {
    return new HeadFastForward(chain(), target.objects().branch(), types, ours, theirs);
  }

  /** Returns some of the types as the source has them. */
  List<TypeSchema> schemas(List<TypeId> some) {
    return some.stream().flatMap(type -> types.sourceSchema(type, theirs).stream()).toList();
  }

  /** Reads the sides; reports damage that a drop of the source caused as that drop. */
  <T> T reportingDroppedSource(Supplier<T> look) {
    try {
      return look.get();
    } catch (CorruptLedgerException e) {
      requireSource();
      throw e;
    }
  }

  /**
   * Requires that the source still exists, so that its commits are kept until they are referenced.
   */
  void requireSource() {
    Optional<Head> now = Head.read(objects).map(Head.Versioned::head);
    if (now.filter(head -> head.epoch().equals(theirs.head().epoch())).isEmpty()) {
      throw gone(target, source());
    }
  }
}
