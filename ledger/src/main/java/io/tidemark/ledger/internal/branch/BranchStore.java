// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.branch.BranchDrop.Target;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.LedgerObjects.Document;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.ledger.store.UnknownCommitException;
import io.tidemark.objects.ObjectInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The branches of a ledger. A branch is there exactly when its head is, and the head only ever
 * changes from a version that somebody has read: {@link BranchCreation} and {@link BranchDrop} say
 * how that keeps out whoever comes late.
 */
public final class BranchStore {

  private static final String HEAD_END = "/" + LedgerLayout.HEAD;

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final HeadCache headCache;
  private final WriterSettings settings;

  /** Of a ledger; new ones are made from the branch that the objects are of. */
  public BranchStore(
      LedgerObjects objects,
      ManifestChain manifestChain,
      HeadCache headCache,
      WriterSettings settings) {
    this.objects = objects;
    this.manifestChain = manifestChain;
    this.headCache = headCache;
    this.settings = settings;
  }

  /** How making a branch ended. */
  public sealed interface CreateResult {

    /** It is there, now or by an earlier try whose answer was lost, at the commit asked for. */
    record Created(Branch branch) implements CreateResult {}

    /** There is another of that name, which is left as it is. */
    record NameTaken(Branch other) implements CreateResult {}
  }

  /** All branches that there are, main first and the others by name. */
  public List<Branch> list() {
    return list(objects);
  }

  private static List<Branch> list(LedgerObjects objects) {
    List<Branch> all = new ArrayList<>();
    for (BranchName name : names(objects)) {
      find(objects, name).ifPresent(all::add);
    }
    return all;
  }

  /** A branch; empty when there is none of that name. */
  public Optional<Branch> find(BranchName name) {
    return find(objects, name);
  }

  private static Optional<Branch> find(LedgerObjects objects, BranchName name) {
    return Head.read(objects.forBranch(name)).map(found -> Branch.of(name, found.head()));
  }

  /**
   * The names of all branches that there are or were, main first, in the order of their keys. Only
   * the head tells whether there still is one.
   */
  public static List<BranchName> names(LedgerObjects objects) {
    List<BranchName> names = new ArrayList<>(List.of(BranchName.MAIN));
    LedgerObjects main = objects.forBranch(BranchName.MAIN);
    try (Stream<ObjectInfo> found = main.list(LedgerLayout.BRANCHES)) {
      found
          .map(info -> main.path(info.key()))
          .filter(path -> path.endsWith(HEAD_END))
          .flatMap(path -> BranchName.of(path).stream())
          .filter(name -> !names.contains(name))
          .forEach(names::add);
    }
    return names;
  }

  /** The names of the branches a ledger has, but main. */
  public static List<String> namesExceptMain(LedgerObjects objects) {
    return list(objects).stream()
        .filter(branch -> !branch.name().isMain())
        .map(branch -> branch.name().text())
        .toList();
  }

  /**
   * Makes a branch at the head of this one.
   *
   * @throws BranchRefusedException when the name would be mistaken for a commit
   */
  public CreateResult create(BranchName name) {
    return name.isMain()
        ? taken()
        : newBranch(name).createAt(pinnedHead -> pinnedHead.head().commitId());
  }

  /**
   * Makes a branch at a commit of this one.
   *
   * @throws UnknownCommitException when there is no such commit
   */
  public CreateResult createAt(BranchName name, long commitId) {
    return name.isMain() ? taken() : newBranch(name).createAt(pinnedHead -> commitId);
  }

  /**
   * Makes a branch as it stands in another store, from where its commits have been copied.
   *
   * @param forkPoint where it is to be said to have begun, which is a commit that is here
   */
  public CreateResult createFromRemote(
      BranchName name, BranchPosition elsewhere, Head.ForkPoint forkPoint) {
    return name.isMain() ? taken() : newBranch(name).createFromRemote(elsewhere, forkPoint);
  }

  private BranchCreation newBranch(BranchName name) {
    Revision.requireName(name);
    return new BranchCreation(objects, manifestChain, headCache, settings, name);
  }

  private CreateResult taken() {
    return new CreateResult.NameTaken(find(BranchName.MAIN).orElseThrow());
  }

  /**
   * Drops a branch, whichever has the name. Its commits are left to the next cleaning, unless
   * another branch has them.
   *
   * @return false when there is none of that name; what a crash left of it is gone then, too
   */
  public boolean drop(BranchName name) {
    return drop(name, new Target.CurrentBranch());
  }

  /**
   * Drops this very branch, wherever its head is by now, and none that has got its name since or is
   * about to get it.
   *
   * @return false when it is gone; what a crash left of it is gone then, too
   */
  public boolean drop(Branch branch) {
    return drop(branch.name(), new Target.ExactBranch(branch));
  }

  /**
   * Removes what is left of branches of a name that aren't there, and sees to it that none comes of
   * it late; one that there is isn't touched. Who is just making one has to begin anew.
   */
  public void deleteRemains(BranchName name) {
    boolean unused = drop(name, new Target.RemainsOnly());
  }

  /**
   * Sees to it that what was found in a home is of no branch, now and for good: who has written it
   * and may still be about to make a branch of it doesn't get its head in any more.
   *
   * @return false when there is a branch that has it, or the head was changed just now
   */
  public boolean invalidate(BranchName name, String home) {
    LedgerObjects target = objects.forBranch(name);
    Optional<Document> there = target.read(LedgerLayout.HEAD);
    Optional<Head.Versioned> head = there.flatMap(found -> Head.find(target, found));
    if (head.isEmpty()) {
      return new TombstoneWriter(target, settings).replace(there);
    }
    // It has replaced what any other had read. Without an epoch, nobody knows what it has.
    return head.get()
        .head()
        .epoch()
        .filter(epoch -> !name.epochDirectory(epoch).equals(home))
        .isPresent();
  }

  /**
   * Keeps branches from coming to be whose documents are there by now and whose head isn't. A
   * creation that is interrupted by this fails, and can be repeated.
   */
  public void invalidateUnfinished() {
    LedgerObjects main = objects.forBranch(BranchName.MAIN);
    Set<String> homes;
    try (Stream<ObjectInfo> found = main.list(LedgerLayout.BRANCHES)) {
      homes =
          found
              .flatMap(info -> LedgerLayout.epochDirectoryOf(main.path(info.key())).stream())
              .collect(Collectors.toSet());
    }
    for (String home : homes) {
      BranchName name = BranchName.of(home).orElseThrow();
      while (find(name).isEmpty() && !invalidate(name, home)) {
        // Somebody else has changed the head in between, or the answer was lost.
      }
    }
  }

  private boolean drop(BranchName name, Target which) {
    if (name.isMain()) {
      throw new BranchRefusedException("main can't be dropped; the other branches are made of it");
    }
    return new BranchDrop(objects.forBranch(name), settings, which).drop();
  }
}
