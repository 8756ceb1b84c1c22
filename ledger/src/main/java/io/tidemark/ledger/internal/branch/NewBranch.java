// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.branch.Branches.Creation;
import io.tidemark.ledger.internal.branch.Branches.Creation.Made;
import io.tidemark.ledger.internal.branch.Branches.Creation.Taken;
import io.tidemark.ledger.internal.state.Adoption;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.LedgerObjects.Document;
import io.tidemark.ledger.internal.store.Manifest.Link;
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
 * Makes a branch, the way a commit is made: everything is written where nobody looks, below an
 * epoch that is this try's own, and one conditional write of the head makes it real. So no lock is
 * needed, and nobody who comes late can harm another's branch: what a try writes is its own, and
 * its head replaces only what was there before it began.
 *
 * <p>What was there is read before anything is written. That is what lets a drop fence off tries
 * that are under way; see {@link DroppedBranch}.
 */
final class NewBranch {

  private final LedgerObjects objects;
  private final Chain chain;
  private final Heads heads;
  private final WriterSettings settings;
  private final LedgerObjects target;
  private final String epoch = UUID.randomUUID().toString();

  NewBranch(
      LedgerObjects source, Chain chain, Heads heads, WriterSettings settings, BranchName name) {
    this.objects = source;
    this.chain = chain;
    this.heads = heads;
    this.settings = settings;
    this.target = source.on(name).in(epoch);
  }

  /** Makes it at the commit that is chosen of the source as it is then. */
  Creation at(Function<Base, Long> choice) {
    Optional<Document> before = target.read(Layout.HEAD);
    Base seen = heads.refresh();
    Base source =
        new Base(seen.versioned(), seen.newest().map(newest -> Adoption.of(chain, newest)));
    Link from = from(source, choice.apply(source));
    Head.Forked forked = new Head.Forked(objects.branch().text(), from);
    Optional<Head.Versioned> there = before.flatMap(found -> Head.find(target, found));
    if (there.isPresent()) {
      return judge(there.get().head(), forked, from);
    }
    PurgeNotes purges = new PurgeNotes(objects, chain);
    purges.requireRows(source, from); // before the fork reads files that may be gone
    try {
      new Fork(objects, chain, source, from).write(target, epoch);
    } catch (CorruptLedgerException e) {
      requireStillThere(source); // or it is no wonder
      throw e;
    }
    requireStillThere(source);
    purges.requireRows(source, from); // a purge that begins later finds what the fork has written
    return begin(forked, from, Condition.unchanged(before.map(Document::etag)));
  }

  /** Makes it as it stands in another store, from where its commits have been copied. */
  Creation as(Standing source, Head.Forked forked) {
    Optional<Document> before = target.read(Layout.HEAD);
    Link tip = source.tip().orElseThrow();
    Optional<Head.Versioned> there = before.flatMap(found -> Head.find(target, found));
    if (there.isPresent()) {
      return judge(there.get().head(), forked, tip);
    }
    Fork.elsewhere(source).write(target, epoch);
    return begin(forked, tip, Condition.unchanged(before.map(Document::etag)));
  }

  private Link from(Base source, long id) {
    Optional<Link> tip = source.head().tip();
    if (tip.isEmpty()) {
      throw new BranchRefusedException(
          "the ledger in " + objects.location() + " has no commit to branch from; commit first");
    }
    if (id < 1 || id > tip.get().commitId()) {
      throw new UnknownCommitException(id, tip.get().commitId());
    }
    return new Lineage(chain, tip.get()).at(id);
  }

  /** The source's commits stay for a while after it was dropped, but not for ever: see Roots. */
  private void requireStillThere(Base source) {
    Optional<String> known = source.head().epoch();
    Optional<Head> now = Head.read(objects).map(Head.Versioned::head);
    // A head without an epoch is of another program, which has left it out.
    if (now.filter(head -> head.epoch().isEmpty() || head.epoch().equals(known)).isEmpty()) {
      throw new UnknownBranchException(objects.branch().text(), objects.location());
    }
  }

  private Creation begin(Head.Forked forked, Link tip, Condition unchanged) {
    Instant now = objects.store().clock().instant();
    ObjectNode head = Head.ofBranch(forked, tip, now, settings.runtimeId(), epoch);
    Optional<OutcomeUnknownException> doubt = Optional.empty();
    try {
      if (target.write(Layout.HEAD, head, unchanged).written()) {
        return new Made(
            new Branch(target.branch(), tip.commitId(), Optional.of(forked), Optional.of(epoch)));
      }
    } catch (OutcomeUnknownException e) {
      doubt = Optional.of(e);
    }
    Optional<Head> there = Head.read(target).map(Head.Versioned::head);
    if (there.isEmpty() && doubt.isPresent()) {
      throw doubt.get(); // it may yet arrive
    }
    return there.map(found -> judge(found, forked, tip)).orElseThrow(this::droppedMeanwhile);
  }

  /**
   * A branch that begins where it was to begin, and hasn't moved, is the one that was asked for;
   * and so is one of this very try, wherever it has got to.
   */
  private Creation judge(Head there, Head.Forked forked, Link tip) {
    Branch branch = Branch.of(target.branch(), there);
    boolean ours = there.epoch().equals(Optional.of(epoch));
    boolean same =
        there.forked().equals(Optional.of(forked)) && there.tip().equals(Optional.of(tip));
    return ours || same ? new Made(branch) : new Taken(branch);
  }

  private BranchRefusedException droppedMeanwhile() {
    return new BranchRefusedException(
        "branch "
            + target.branch()
            + " was dropped by somebody else while it was being made; make it again if it is"
            + " wanted");
  }
}
