// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.ledger.AlreadyInitializedException;
import io.tidemark.ledger.IndexMaintenance;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.commit.HeadMismatchException;
import io.tidemark.ledger.internal.branch.BranchPosition;
import io.tidemark.ledger.internal.branch.RemoteFastForward;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.PushResult;
import io.tidemark.names.Ref;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.lease.LeaseLostException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transfer that moves a ledger, or a branch of one, to where it is in another store: copies the
 * commits that are missing, moves the head by one conditional write, and has the name follow. Up to
 * that write nothing can be seen of it, so whatever breaks off before is completed by doing it
 * again; after it all is done but what the next writer makes good.
 */
final class RemoteLedgerTransfer {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteLedgerTransfer.class);

  /** Number of attempts when other processes create or drop the target at the same time. */
  private static final int TRIES = 5;

  private final Direction direction;
  private final TransferEndpoint from;
  private final TransferEndpoint to;
  private final Transfer.Settings settings;
  private final NamedLedgers targets;

  RemoteLedgerTransfer(
      Direction direction, TransferEndpoint from, TransferEndpoint to, Transfer.Settings settings) {
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.settings = settings;
    this.targets = to.ledgers();
  }

  RecordTransferResult run() {
    Ref last = Ref.UNBORN;
    for (int i = 0; i < TRIES; i++) {
      Optional<NameRecord> said = from.record();
      try (NamedLedgers.OpenLedger source =
          from.ledgers().open(from.address(), settings.ledgers())) {
        BranchPosition branchPosition = source.ledger().position();
        requireHashInName(branchPosition);
        last = ref(branchPosition, branchPosition.tip());
        Optional<TransferOutcome> outcome = move(branchPosition);
        if (outcome.isPresent()) {
          Optional<NameRecord> target = transferPayloads(outcome.get());
          return new RecordTransferResult(
              outcome.get(), direction == Direction.PUSH ? target : said);
        }
      } catch (LeaseLostException e) {
        LOG.debug("others took the lock of {} before its head was moved", to.address(), e);
      }
    }
    return RecordTransferResult.ofOutcome(
        direction.rejected(last, to.record().map(NameRecord::commit).orElse(Ref.UNBORN)));
  }

  /**
   * Carries what the name of the source says beside its commit, if the target is there too. Returns
   * the name of the target. A later push follows the history of the ledger, not that record.
   */
  private Optional<NameRecord> transferPayloads(TransferOutcome transferOutcome) {
    Optional<NameRecord> source = isSameNow(transferOutcome) ? from.record() : Optional.empty();
    source.ifPresent(record -> HeadPayloadTransfer.transfer(record, to));
    Optional<NameRecord> target = to.record();
    if (source.isEmpty() || target.isEmpty()) {
      return target;
    }
    ConcernValue index = IndexTransfer.transfer(source.get(), target.get(), to);
    return target.map(record -> RecordTransferResult.moved(record, record.head(), index));
  }

  /**
   * Returns whether the target is where the source is, so that what is indexed of one is of the
   * other.
   */
  private static boolean isSameNow(TransferOutcome transferOutcome) {
    return transferOutcome instanceof TransferOutcome.Created
        || transferOutcome instanceof TransferOutcome.FastForwarded
        || (transferOutcome instanceof TransferOutcome.UpToDate found
            && found.local().equals(found.remote()));
  }

  private static Ref ref(BranchPosition branchPosition, Optional<Link> commit) {
    return commit
        .map(link -> Ref.of(branchPosition.contentId(link), link.commitId()))
        .orElse(Ref.UNBORN);
  }

  /** A name that tells of the newest commit tells what it is by its hash, too. */
  private void requireHashInName(BranchPosition branchPosition) {
    Ref said = from.record().map(NameRecord::commit).orElse(Ref.UNBORN);
    Ref found = ref(branchPosition, branchPosition.tip());
    if (said.t() == found.t() && !said.equals(found)) {
      throw branchPosition
          .objects()
          .corrupt(
              branchPosition.tip().map(Link::path).orElse(""),
              "has the content id "
                  + found.id().orElse("none")
                  + ", while the name "
                  + from.address()
                  + " says "
                  + said.id().orElse("none")
                  + " ('index repair' makes the name good if it is the one that is wrong)");
    }
  }

  /** Moves the target; empty when another process created or dropped it meanwhile. */
  private Optional<TransferOutcome> move(BranchPosition source) {
    boolean main = to.address().branch().equals(Address.MAIN);
    if (!hasHead(to.address()) || to.record().isEmpty()) {
      return main ? makeLedger(source) : makeBranch(source);
    }
    try (NamedLedgers.OpenLedger openLedger = targets.open(to.address(), settings.ledgers())) {
      return fastForward(source, openLedger.ledger());
    }
  }

  /** Returns whether the target is there, be it under its name or not. */
  private boolean hasHead(Address address) {
    try (NamedLedgers.LedgerLocation ledgerLocation = targets.locationOrDefault(address)) {
      return Head.read(ledgerLocation.objects(address)).isPresent();
    }
  }

  private Optional<TransferOutcome> fastForward(BranchPosition source, Ledger target) {
    BranchPosition branchPosition = target.position();
    Optional<TransferOutcome> settled = outcomeWithoutMove(source, branchPosition);
    if (settled.isPresent()) {
      repair(target, source);
      return settled;
    }
    List<Link> missing = new MissingCommits(source, List.of(branchPosition)).commits();
    long bytes =
        new CommitCopier(source, branchPosition.objects(), settings.progress()).copy(missing);
    try {
      if (target.fastForward(source).apply()
          instanceof RemoteFastForward.Outcome.FastForwarded fastForwarded) {
        return Optional.of(
            new TransferOutcome.FastForwarded(
                ref(branchPosition, fastForwarded.from()),
                ref(source, source.tip()),
                missing.size(),
                bytes));
      }
      return outcomeWithoutMove(source, target.position()); // others have moved it meanwhile
    } catch (HeadMismatchException e) {
      LOG.debug("others moved {} each time", to.address(), e);
      return Optional.empty();
    }
  }

  /**
   * Repairs a name that is behind its ledger, because the process that moved the head died before
   * updating the name. The next writer would repair it, too; but the caller expects it to be right
   * now.
   */
  private void repair(Ledger target, BranchPosition source) {
    long head = target.log().head().orElse(0L);
    if (head == 0 || to.record().filter(record -> record.commit().t() >= head).isPresent()) {
      return;
    }
    try {
      target.fastForward(source).repair();
      IndexMaintenance.Repair unused = target.indices().repair(IndexMaintenance.Depth.NEWEST);
    } catch (TidemarkException e) {
      LOG.warn("what follows the head of {} isn't good yet: {}", to.address(), e.getMessage());
    }
  }

  private void publish(Ref head) {
    try {
      var unused = to.names().ledgers().fastForward(to.address(), head);
    } catch (TidemarkException e) {
      LOG.warn("the name {} doesn't follow its ledger yet: {}", to.address(), e.getMessage());
    }
  }

  /**
   * Returns the outcome when nothing is to be moved; empty when the target can follow the source.
   */
  private Optional<TransferOutcome> outcomeWithoutMove(
      BranchPosition source, BranchPosition target) {
    if (source.tip().isEmpty() || target.tip().isEmpty()) {
      return source.tip().isEmpty()
          ? Optional.of(direction.upToDate(Ref.UNBORN, ref(target, target.tip())))
          : Optional.empty();
    }
    Link theirs = source.tip().get();
    Link ours = target.tip().get();
    Optional<Link> common = source.lineage(theirs).commonAncestor(target.lineage(ours));
    common.ifPresent(link -> requireSame(source, target, link));
    Ref there = ref(target, target.tip());
    Ref here = ref(source, source.tip());
    if (common.equals(Optional.of(theirs)) || target.includes(theirs)) {
      return Optional.of(direction.upToDate(here, there));
    }
    return common.equals(Optional.of(ours))
        ? Optional.empty()
        : Optional.of(direction.diverged(here, there, common.map(link -> ref(source, link))));
  }

  private static Ref ref(BranchPosition branchPosition, Link commit) {
    return ref(branchPosition, Optional.of(commit));
  }

  /** Commits that have the same path are the same, unless one of them was damaged. */
  private static void requireSame(BranchPosition source, BranchPosition target, Link commit) {
    String here = source.contentId(commit);
    String there = target.contentId(commit);
    if (!here.equals(there)) {
      throw target
          .objects()
          .corrupt(
              commit.path(),
              "has the content id "
                  + there
                  + ", but "
                  + here
                  + " in "
                  + source.objects().location());
    }
  }

  /**
   * Creates the ledger first and its name last: no reader finds it before all of it is there. A
   * ledger without a name is what a crash leaves, and is completed by doing it again.
   */
  private Optional<TransferOutcome> makeLedger(BranchPosition source) {
    Optional<NameRecord> other = to.record().filter(record -> !isItsName(record, source));
    if (other.isPresent()) {
      return madeByAnother(other.get());
    }
    try (NamedLedgers.LedgerLocation ledgerLocation =
        targets.preview(to.address(), Optional.empty())) {
      begin(ledgerLocation);
      Optional<TransferOutcome> outcome;
      try (Ledger target = Ledger.open(ledgerLocation.objects(to.address()), settings.ledgers())) {
        outcome = fastForward(source, target);
      }
      if (outcome.isEmpty() || outcome.get() instanceof TransferOutcome.Diverged) {
        return outcome;
      }
      Ref head = ref(source, source.tip());
      name(head);
      return Optional.of(
          outcome.get() instanceof TransferOutcome.FastForwarded moved
              ? new TransferOutcome.Created(head, moved.commits(), moved.bytes())
              : new TransferOutcome.Created(head, 0, 0));
    }
  }

  private static void begin(NamedLedgers.LedgerLocation ledgerLocation) {
    try {
      ledgerLocation.init().init();
    } catch (AlreadyInitializedException e) {
      // By an earlier try, or by another; whose it is, the history tells.
    }
  }

  private void name(Ref head) {
    if (head.equals(Ref.UNBORN)) {
      targets.claim(to.address(), Optional.empty()).close();
    } else if (!created(head).updated()) {
      publish(head);
    }
  }

  /** Creates the name with all that the head of the source says, if that is of the same commit. */
  private PushResult created(Ref head) {
    Optional<ConcernValue> said =
        from.record().filter(record -> record.commit().equals(head)).map(NameRecord::head);
    return said.isPresent()
        ? to.names().push(to.address(), Concern.HEAD, Optional.empty(), said.get())
        : to.names().ledgers().compareAndSetCommit(to.address(), Optional.empty(), head);
  }

  /** A name that has no ledger is what a crash left, if what it says is part of what is to be. */
  private static boolean isItsName(NameRecord record, BranchPosition source) {
    Link tip = source.tip().orElseThrow();
    long t = record.commit().t();
    return t == 0
        || (t <= tip.commitId() && record.commit().equals(ref(source, source.lineage(tip).at(t))));
  }

  private Optional<TransferOutcome> madeByAnother(NameRecord other) {
    if (!hasHead(to.address())) {
      throw new AlreadyExistsException(
          to.address()
              + " in "
              + to.names().location()
              + " is the name of something else, at "
              + other.commit().t()
              + "; purge it, or give the ledger another name");
    }
    return Optional.empty();
  }

  private Optional<TransferOutcome> makeBranch(BranchPosition source) {
    Address main = to.address().onBranch(Address.MAIN);
    if (!hasHead(main) || to.names().find(main).isEmpty() || source.tip().isEmpty()) {
      return Optional.of(new TransferOutcome.NotFound(to.names().location(), main));
    }
    List<Link> missing;
    long bytes;
    try (NamedLedgers.OpenLedger openLedger = targets.open(main, settings.ledgers())) {
      BranchPosition branchPosition = openLedger.ledger().position();
      Optional<Link> common =
          branchPosition
              .tip()
              .flatMap(
                  ours ->
                      source
                          .lineage(source.tip().get())
                          .commonAncestor(branchPosition.lineage(ours)));
      if (common.isEmpty()) {
        return Optional.of(
            direction.diverged(
                ref(source, source.tip()),
                ref(branchPosition, branchPosition.tip()),
                Optional.empty()));
      }
      requireSame(source, branchPosition, common.get());
      missing = new MissingCommits(source, List.of(branchPosition)).commits();
      bytes = new CommitCopier(source, branchPosition.objects(), settings.progress()).copy(missing);
    }
    Ref head = ref(source, source.tip());
    boolean made =
        new NamedBranches(to.ledgers(), settings.ledgers())
            .createFromRemote(to.address(), source, head);
    if (!made) {
      return Optional.empty();
    }
    publish(head);
    return Optional.of(new TransferOutcome.Created(head, missing.size(), bytes));
  }
}
