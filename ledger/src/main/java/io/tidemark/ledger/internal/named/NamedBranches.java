// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.branch.Branch;
import io.tidemark.ledger.internal.branch.BranchPosition;
import io.tidemark.ledger.internal.branch.BranchStore;
import io.tidemark.ledger.internal.branch.BranchStore.CreateResult;
import io.tidemark.ledger.internal.branch.Lineage;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.ledger.store.UnknownCommitException;
import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Branches.DropOutcome;
import io.tidemark.names.Branches.DropResult;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.objects.InvalidLocationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Branches of a ledger together with their names. The name comes first, and goes first: what a
 * crash leaves is a name without a branch, which making it again completes, or a branch without a
 * name, which dropping it again removes.
 */
public final class NamedBranches {

  private final NameService names;
  private final NamedLedgers ledgers;
  private final LedgerOptions options;

  public NamedBranches(NameService names, LedgerOptions options) {
    this(new NamedLedgers(names), options);
  }

  public NamedBranches(NamedLedgers ledgers, LedgerOptions options) {
    this.names = ledgers.names();
    this.ledgers = ledgers;
    this.options = options;
  }

  /** Returns whether a name has a ledger, and isn't only a name. */
  public boolean hasLedger(Address address) {
    try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.locationOrDefault(address)) {
      return ledgerLocation
          .objects(address.onBranch(Address.MAIN))
          .get(LedgerLayout.HEAD)
          .isPresent();
    } catch (InvalidLocationException e) {
      return false; // the names aren't in an object store, and no other location is given
    }
  }

  /** Makes a branch at the head of another. */
  public NameRecord create(Address source, String branch) {
    return create(source, branch, OptionalLong.empty());
  }

  /** Makes a branch at a commit of another. */
  public NameRecord createAt(Address source, String branch, long commitId) {
    return create(source, branch, OptionalLong.of(commitId));
  }

  /**
   * Makes a branch, or completes one whose making broke off.
   *
   * @throws AlreadyExistsException when there is another of that name
   */
  private NameRecord create(Address source, String branch, OptionalLong at) {
    BranchName name = new BranchName(branch);
    Revision.requireName(name); // before the name is claimed
    Address target = source.onBranch(branch);
    try (NamedLedgers.OpenLedger openLedger = ledgers.open(source, options)) {
      Ledger ledger = openLedger.ledger();
      long head = ledger.log().head().orElse(0L);
      long commit = at.orElse(head);
      Optional<NameRecord> named = names.find(target);
      Optional<Branch> there = ledger.branches().find(name);
      if (named.isPresent() && there.isEmpty()) {
        return complete(ledger, source, named.get(), at);
      }
      if (named.isEmpty()) {
        there.ifPresent(found -> requireSame(source, found, commit));
        named = Optional.of(named(ledger, source, target, commit));
      }
      return make(ledger, named.get(), commit);
    }
  }

  /**
   * Makes a branch as it stands in another store, from where its commits have been copied, or
   * completes one whose making broke off. It is said to have begun where it left the branch that it
   * began from there, if that is here too, or else main.
   *
   * @param tip of what stands there
   * @return false when there is one of that name
   * @throws BranchRefusedException when it has no commit in common with main here
   * @throws AlreadyExistsException when the name is that of something else
   */
  public boolean createFromRemote(Address target, BranchPosition elsewhere, Ref tip) {
    BranchName name = new BranchName(target.branch());
    Revision.requireName(name);
    Address main = target.onBranch(Address.MAIN);
    try (NamedLedgers.OpenLedger openLedger = ledgers.open(main, options)) {
      Ledger ledger = openLedger.ledger();
      if (ledger.branches().find(name).isPresent()) {
        return false;
      }
      Head.ForkPoint forkPoint = forked(ledger, openLedger.place().objects(main), elsewhere);
      NameRecord named =
          names
              .find(target)
              .orElseGet(
                  () ->
                      names
                          .branches()
                          .create(
                              main.onBranch(forkPoint.branch()),
                              target.branch(),
                              Optional.of(tip)));
      requireItsName(named, elsewhere);
      CreateResult createResult = ledger.branches().createFromRemote(name, elsewhere, forkPoint);
      if (createResult instanceof CreateResult.Created created) {
        requireStillNamed(ledger, target, created.branch());
      }
      return createResult instanceof CreateResult.Created;
    }
  }

  /**
   * Requires that a name without a branch is what a crash left: it says a part of what is to be.
   */
  private static void requireItsName(NameRecord named, BranchPosition elsewhere) {
    long t = named.commit().t();
    Link tip = elsewhere.tip().orElseThrow();
    boolean its =
        !named.meta().retracted()
            && named.meta().kind() == RecordKind.LEDGER
            && (t == 0
                || (t <= tip.commitId()
                    && named
                        .commit()
                        .id()
                        .equals(Optional.of(elsewhere.contentId(elsewhere.lineage(tip).at(t))))));
    if (!its) {
      throw new AlreadyExistsException(
          named.address()
              + " is a name already, of something else at commit "
              + t
              + "; drop or purge it, or choose another");
    }
  }

  private Head.ForkPoint forked(Ledger ledger, LedgerObjects place, BranchPosition elsewhere) {
    Lineage theirs = elsewhere.lineage(elsewhere.tip().orElseThrow());
    Optional<Head.ForkPoint> said =
        elsewhere.base().head().forked().filter(f -> forksAt(place, f, theirs));
    return said.or(
            () ->
                ledger
                    .position()
                    .tip()
                    .flatMap(ours -> theirs.commonAncestor(ledger.position().lineage(ours)))
                    .map(link -> new Head.ForkPoint(Address.MAIN, link)))
        .orElseThrow(
            () ->
                new BranchRefusedException(
                    "what is to become a branch of the ledger in "
                        + place.location()
                        + " has no commit in common with its main; it is another ledger"));
  }

  private boolean forksAt(LedgerObjects place, Head.ForkPoint forkPoint, Lineage theirs) {
    LedgerObjects branch = place.forBranch(new BranchName(forkPoint.branch()));
    Optional<Link> tip = Head.read(branch).flatMap(head -> head.head().tip());
    return tip.isPresent()
        && theirs.contains(forkPoint.from())
        && new Lineage(new ManifestChain(branch), tip.get()).contains(forkPoint.from());
  }

  private NameRecord named(Ledger ledger, Address source, Address target, long commit) {
    if (ledger.log().head().isPresent() && ledger.log().contentId(commit).isEmpty()) {
      throw new UnknownCommitException(commit, ledger.log().head().orElse(0L));
    }
    Optional<Ref> at = ledger.log().contentId(commit).map(id -> Ref.of(id, commit));
    return names.branches().create(source, target.branch(), at);
  }

  private NameRecord make(Ledger ledger, NameRecord named, long commit) {
    Address target = named.address();
    CreateResult createResult = ledger.branches().createAt(new BranchName(target.branch()), commit);
    if (createResult instanceof CreateResult.NameTaken nameTaken) {
      throw exists(target, nameTaken.other());
    }
    if (createResult instanceof CreateResult.Created created) {
      requireStillNamed(ledger, target, created.branch());
    }
    return named;
  }

  /**
   * Drops the branch if its name was dropped while it was being made: the process that dropped the
   * name may have found no branch yet.
   */
  private void requireStillNamed(Ledger ledger, Address target, Branch made) {
    if (!isNamed(target)) {
      ledger.branches().drop(made);
      throw new BranchRefusedException(
          target
              + " was dropped by somebody else while it was being made; make it again if it is"
              + " wanted");
    }
  }

  private boolean isNamed(Address address) {
    return names
        .find(address)
        .filter(record -> record.meta().kind() == RecordKind.LEDGER)
        .isPresent();
  }

  /** Completes a name that has no branch yet: the name says itself where the branch is to begin. */
  private NameRecord complete(Ledger ledger, Address source, NameRecord named, OptionalLong at) {
    long commit = named.commit().t();
    boolean isOurs =
        !named.meta().retracted()
            && named.meta().sourceBranch().equals(Optional.of(source.branch()))
            && named.commit().id().isPresent()
            && ledger.log().contentId(commit).equals(named.commit().id())
            && at.orElse(commit) == commit;
    if (!isOurs) {
      throw new AlreadyExistsException(
          named.address()
              + " is a name already, of something else at commit "
              + commit
              + "; drop or purge it, or choose another");
    }
    return make(ledger, named, commit);
  }

  /**
   * Requires that a branch without a name is the one that was asked for, before it gets the name.
   */
  private static void requireSame(Address source, Branch there, long commit) {
    boolean same =
        there.head() == commit
            && there
                .forked()
                .filter(f -> f.branch().equals(source.branch()) && f.from().commitId() == commit)
                .isPresent();
    if (!same) {
      throw exists(source.onBranch(there.name().text()), there);
    }
  }

  private static AlreadyExistsException exists(Address target, Branch there) {
    return new AlreadyExistsException(
        target
            + " is there already, at commit "
            + there.head()
            + (there.name().isMain() ? "; " : "; drop it first, or ")
            + "choose another name");
  }

  /**
   * Drops a branch and its name, as {@link io.tidemark.names.BranchStore#drop} drops the name: one
   * that other branches were made from stays, retracted, until the last of them goes.
   */
  public DropResult drop(Address address) {
    try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.locationOrDefault(address)) {
      BranchStore branchStore = branchesIn(ledgerLocation, address);
      DropResult dropResult = dropName(address, branchStore);
      List<Address> gone = new ArrayList<>(dropResult.cascaded());
      if (dropResult.dropped() == DropOutcome.GONE) {
        gone.add(address);
      }
      for (Address each : gone) {
        boolean unused = remove(each, branchStore);
      }
      return dropResult;
    }
  }

  /**
   * Finishes drops of branches that a process didn't bring to their end; see {@link
   * io.tidemark.names.Branches#finishDrops}.
   *
   * @return the branches that are gone now
   */
  public List<Address> finishDrops(Address address) {
    List<Address> gone = names.branches().finishDrops(address.name());
    if (!gone.isEmpty() && hasLedger(address)) {
      try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.locationOrDefault(address)) {
        BranchStore branchStore = branchesIn(ledgerLocation, address);
        for (Address each : gone) {
          boolean unused = remove(each, branchStore);
        }
      }
    }
    return gone;
  }

  private BranchStore branchesIn(NamedLedgers.LedgerLocation ledgerLocation, Address address) {
    LedgerObjects main = ledgerLocation.objects(address.onBranch(Address.MAIN));
    ManifestChain manifestChain = new ManifestChain(main);
    return new BranchStore(
        main, manifestChain, new HeadCache(main, manifestChain), options.writer());
  }

  /**
   * Removes the branch of a name that is gone, or what is left of one. The branch is looked for
   * first, and the name second: the creator of a branch claims its name before. If the name isn't
   * there now, it was dropped; if it is, another process has made a branch of it since.
   *
   * @return whether there was one
   */
  private boolean remove(Address address, BranchStore branchStore) {
    BranchName name = new BranchName(address.branch());
    Optional<Branch> there = branchStore.find(name);
    if (isNamed(address)) {
      return false;
    }
    if (there.isEmpty()) {
      branchStore.deleteRemains(
          name); // the head of a branch whose creator died may still be on its way
    }
    return there.isPresent() && branchStore.drop(there.get());
  }

  private DropResult dropName(Address address, BranchStore branchStore) {
    try {
      return names.branches().drop(address);
    } catch (NotFoundException e) {
      if (!remove(address, branchStore)) {
        throw e; // with what a crash may have left of it
      }
      return new DropResult(DropOutcome.GONE, List.of()); // its name went before a crash
    }
  }

  /** Returns the branches without a name, as an interrupted creation or drop leaves them. */
  public List<Branch> unnamed(Address address) {
    try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.locationOrDefault(address)) {
      return branchesIn(ledgerLocation, address).list().stream()
          .filter(branch -> names.find(address.onBranch(branch.name().text())).isEmpty())
          .toList();
    }
  }
}
