// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.branch.BranchStore.CreateResult;
import io.tidemark.ledger.internal.branch.BranchStore.CreateResult.Created;
import io.tidemark.ledger.internal.branch.BranchStore.CreateResult.NameTaken;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.LedgerObjects.Document;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.UnknownCommitException;
import io.tidemark.objects.Condition;
import io.tidemark.objects.OutcomeUnknownException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Creation of a branch, which works like a commit: all documents are written below an epoch of this
 * attempt's own, where no reader looks, and one conditional write of the head makes the branch
 * real. So no lock is needed, and no late write can harm another branch: each attempt writes its
 * own objects, and its head replaces only the object that was there before it began.
 *
 * <p>That object is read before anything is written. This lets a drop fence off attempts that are
 * under way; see {@link BranchDrop}.
 */
final class BranchCreation {

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final HeadCache headCache;
  private final WriterSettings settings;
  private final LedgerObjects target;
  private final String epoch = UUID.randomUUID().toString();

  BranchCreation(
      LedgerObjects source,
      ManifestChain manifestChain,
      HeadCache headCache,
      WriterSettings settings,
      BranchName name) {
    this.objects = source;
    this.manifestChain = manifestChain;
    this.headCache = headCache;
    this.settings = settings;
    this.target = source.forBranch(name).forEpoch(epoch);
  }

  /** Creates the branch at the chosen commit of the source as it is then. */
  CreateResult createAt(Function<PinnedHead, Long> choice) {
    Optional<Document> before = target.read(LedgerLayout.HEAD);
    PinnedHead seen = headCache.refresh();
    PinnedHead source =
        new PinnedHead(
            seen.versioned(),
            seen.newest().map(newest -> ManifestCompleter.complete(manifestChain, newest)));
    Link from = from(source, choice.apply(source));
    Head.ForkPoint forkPoint = new Head.ForkPoint(objects.branch().text(), from);
    Optional<Head.Versioned> there = before.flatMap(found -> Head.find(target, found));
    if (there.isPresent()) {
      return resolveExisting(there.get().head(), forkPoint, from);
    }
    PurgeMarkers purges = new PurgeMarkers(objects, manifestChain);
    purges.requireRows(source, from); // before the fork reads files that may be gone
    try {
      new BranchDocumentsWriter(objects, manifestChain, source, from).write(target, epoch);
    } catch (CorruptLedgerException e) {
      requireStillThere(source); // a dropped source would explain the failure
      throw e;
    }
    requireStillThere(source);
    purges.requireRows(source, from); // a purge that begins later finds what the fork has written
    return begin(forkPoint, from, Condition.unchanged(before.map(Document::etag)));
  }

  /**
   * Creates the branch at its position in another store, from which its commits have been copied.
   */
  CreateResult createFromRemote(BranchPosition source, Head.ForkPoint forkPoint) {
    Optional<Document> before = target.read(LedgerLayout.HEAD);
    Link tip = source.tip().orElseThrow();
    Optional<Head.Versioned> there = before.flatMap(found -> Head.find(target, found));
    if (there.isPresent()) {
      return resolveExisting(there.get().head(), forkPoint, tip);
    }
    BranchDocumentsWriter.fromRemote(source).write(target, epoch);
    return begin(forkPoint, tip, Condition.unchanged(before.map(Document::etag)));
  }

  private Link from(PinnedHead source, long id) {
    Optional<Link> tip = source.head().tip();
    if (tip.isEmpty()) {
      throw new BranchRefusedException(
          "the ledger in " + objects.location() + " has no commit to branch from; commit first");
    }
    if (id < 1 || id > tip.get().commitId()) {
      throw new UnknownCommitException(id, tip.get().commitId());
    }
    return new Lineage(manifestChain, tip.get()).at(id);
  }

  /**
   * Requires that the source still exists. Its commits stay for a while after its drop, but not for
   * ever: see {@link GcRoots}.
   */
  private void requireStillThere(PinnedHead source) {
    Optional<String> known = source.head().epoch();
    Optional<Head> now = Head.read(objects).map(Head.Versioned::head);
    // A head without an epoch is of another program, which has left it out.
    if (now.filter(head -> head.epoch().isEmpty() || head.epoch().equals(known)).isEmpty()) {
      throw new UnknownBranchException(objects.branch().text(), objects.location());
    }
  }

  private CreateResult begin(Head.ForkPoint forkPoint, Link tip, Condition unchanged) {
    Instant now = objects.store().clock().instant();
    ObjectNode head = Head.ofBranch(forkPoint, tip, now, settings.runtimeId(), epoch);
    Optional<OutcomeUnknownException> doubt = Optional.empty();
    try {
      if (target.write(LedgerLayout.HEAD, head, unchanged).written()) {
        return new Created(
            new Branch(
                target.branch(), tip.commitId(), Optional.of(forkPoint), Optional.of(epoch)));
      }
    } catch (OutcomeUnknownException e) {
      doubt = Optional.of(e);
    }
    Optional<Head> there = Head.read(target).map(Head.Versioned::head);
    if (there.isEmpty() && doubt.isPresent()) {
      throw doubt.get(); // it may yet arrive
    }
    return there
        .map(found -> resolveExisting(found, forkPoint, tip))
        .orElseThrow(this::droppedMeanwhile);
  }

  /**
   * Accepts an existing branch that has the requested fork point and hasn't moved, and a branch of
   * this very attempt, wherever it is by now.
   */
  private CreateResult resolveExisting(Head there, Head.ForkPoint forkPoint, Link tip) {
    Branch branch = Branch.of(target.branch(), there);
    boolean ours = there.epoch().equals(Optional.of(epoch));
    boolean same =
        there.forked().equals(Optional.of(forkPoint)) && there.tip().equals(Optional.of(tip));
    return ours || same ? new Created(branch) : new NameTaken(branch);
  }

  private BranchRefusedException droppedMeanwhile() {
    return new BranchRefusedException(
        "branch "
            + target.branch()
            + " was dropped by somebody else while it was being made; make it again if it is"
            + " wanted");
  }
}
