// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.CatalogMerge;
import io.tidemark.ledger.internal.commit.Draft;
import io.tidemark.ledger.internal.commit.Proposal;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.objects.StoreUnavailableException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fast-forward of a branch to its position in another store. It equals a merge into a target
 * without commits of its own. All commits have been copied before, so that no reader sees a head
 * without its commits. It is computed on the very head that is replaced, and again when another
 * writer was faster.
 */
public final class RemoteFastForward implements Proposal {

  /** Maximum number of times that types are registered which other writers declare meanwhile. */
  private static final int TRIES = 5;

  private static final Logger LOG = LoggerFactory.getLogger(RemoteFastForward.class);

  private final BranchMerge.Target target;
  private final BranchPosition source;
  private final Link tip;
  private List<TypeId> missing = List.of();
  private @Nullable HeadFastForward headFastForward;
  private @Nullable Outcome outcome;

  public RemoteFastForward(BranchMerge.Target target, BranchPosition source) {
    this.target = target;
    this.source = source;
    this.tip =
        source
            .tip()
            .orElseThrow(() -> new IllegalArgumentException("there is no commit to move to"));
  }

  /** Outcome of the fast-forward. */
  public sealed interface Outcome {

    /** The target has the commit already, in its lineage or by a merge. */
    record UpToDate(Link our) implements Outcome {}

    /**
     * The head has moved.
     *
     * @param from empty when the target had no commit
     */
    record FastForwarded(Optional<Link> from) implements Outcome {}

    /** The target has commits of its own; nothing was done. */
    record Diverged(Link our) implements Outcome {}
  }

  /**
   * Moves the head.
   *
   * @throws SchemasDifferException when the target has declared a type differently
   * @throws io.tidemark.ledger.commit.HeadMismatchException when other writers were faster each
   *     time
   */
  public Outcome apply() {
    for (int i = 0; i < TRIES; i++) {
      var unused = target.protocol().commit(this);
      if (missing.isEmpty()) {
        return known(outcome);
      }
      enterMissing(known(headFastForward));
    }
    throw new BranchRefusedException(
        target.objects().branch()
            + " lost the types of its source each of "
            + TRIES
            + " times; try again when it is at rest");
  }

  private void enterMissing(HeadFastForward next) {
    try {
      target.protocol().underLock(next::registerMissingTypes);
    } catch (StoreUnavailableException e) {
      LOG.debug("somebody else enters types too, or the store is away as the next look tells", e);
    }
  }

  /**
   * Completes an earlier move whose process died before it updated the documents of the types. Does
   * nothing when the target isn't at the position of the source.
   */
  public void repair() {
    target
        .protocol()
        .underLock(
            pinnedHead -> {
              boolean same = pinnedHead.head().tip().equals(source.tip());
              if (same) {
                fastForwardFrom(pinnedHead).updateDocuments();
              }
              return same;
            });
  }

  private HeadFastForward fastForwardFrom(PinnedHead pinnedHead) {
    CatalogMerge types =
        new CatalogMerge(target.catalog(), new Catalog(source.objects(), source.chain()));
    return new HeadFastForward(
        target.chain(), target.objects().branch(), types, pinnedHead, source.base());
  }

  @Override
  public Optional<Draft> draft(PinnedHead pinnedHead) {
    missing = List.of();
    Optional<Link> ours = pinnedHead.head().tip();
    if (ours.isPresent() && !new Lineage(target.chain(), tip).contains(ours.get())) {
      outcome =
          new Ancestry(target.chain()).includes(ours.get(), tip)
              ? new Outcome.UpToDate(ours.get())
              : new Outcome.Diverged(ours.get());
      return Optional.empty();
    }
    if (ours.equals(Optional.of(tip))) {
      outcome = new Outcome.UpToDate(tip);
      return Optional.empty();
    }
    CatalogMerge types =
        new CatalogMerge(target.catalog(), new Catalog(source.objects(), source.chain()));
    HeadFastForward next =
        new HeadFastForward(
            target.chain(), target.objects().branch(), types, pinnedHead, source.base());
    next.requireNoContradiction();
    headFastForward = next;
    missing = next.missingTypes();
    outcome = new Outcome.FastForwarded(ours);
    return missing.isEmpty() ? Optional.of(next.draft()) : Optional.empty();
  }

  /** Checks types without rows, which the head doesn't cover. */
  @Override
  public void confirm() {
    known(headFastForward).requireNoContradiction();
  }

  private static <T> T known(@Nullable T found) {
    if (found == null) {
      throw new IllegalStateException("nobody has asked yet");
    }
    return found;
  }
}
