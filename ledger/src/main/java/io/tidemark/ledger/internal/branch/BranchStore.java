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
 * Store of the branches of a ledger. A branch exists exactly when its head does, and the head only
 * ever changes from a version that the writer has read: {@link BranchCreation} and {@link
 * BranchDrop} describe how that fences off late writers.
 */
public final class BranchStore {

  private static final String HEAD_END = "/" + LedgerLayout.HEAD;

  private final LedgerObjects objects;
  private final ManifestChain manifestChain;
  private final HeadCache headCache;
  private final WriterSettings settings;

  /** Creates the store of a ledger; new branches begin at the branch of the objects. */
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

  /** Result of creating a branch. */
  public sealed interface CreateResult {

    /**
     * The branch exists at the requested commit, by now or by an earlier attempt whose answer was
     * lost.
     */
    record Created(Branch branch) implements CreateResult {}

    /** There is another branch of that name, which is unchanged. */
    record NameTaken(Branch other) implements CreateResult {}
  }

  /** Returns all existing branches, main first and the others by name. */
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

  /** Returns a branch, or empty if there is none of that name. */
  public Optional<Branch> find(BranchName name) {
    return find(objects, name);
  }

  private static Optional<Branch> find(LedgerObjects objects, BranchName name) {
    return Head.read(objects.forBranch(name)).map(found -> Branch.of(name, found.head()));
  }

  /**
   * Returns the names of all present and former branches, main first, in the order of their keys.
   * Only the head tells whether a branch still exists.
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

  /** Returns the names of the branches of a ledger except main. */
  public static List<String> namesExceptMain(LedgerObjects objects) {
    return list(objects).stream()
        .filter(branch -> !branch.name().isMain())
        .map(branch -> branch.name().text())
        .toList();
  }

  /**
   * Creates a branch at the head of this one.
   *
   * @throws BranchRefusedException when the name would be mistaken for a commit
   */
  public CreateResult create(BranchName name) {
    return name.isMain()
        ? taken()
        : newBranch(name).createAt(pinnedHead -> pinnedHead.head().commitId());
  }

  /**
   * Creates a branch at a commit of this one.
   *
   * @throws UnknownCommitException when there is no such commit
   */
  public CreateResult createAt(BranchName name, long commitId) {
    return name.isMain() ? taken() : newBranch(name).createAt(pinnedHead -> commitId);
  }

  /**
   * Creates a branch at its position in another store, from which its commits have been copied.
   *
   * @param forkPoint the fork point to record, a commit in this store
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
   * Drops the present branch of a name. Its commits are left to the next garbage collection, unless
   * another branch has them.
   *
   * @return false when there is none of that name; the remains of a crash are deleted in that case,
   *     too
   */
  public boolean drop(BranchName name) {
    return drop(name, new Target.CurrentBranch());
  }

  /**
   * Drops this very branch, wherever its head is by now, and no later branch of its name, existing
   * or under creation.
   *
   * @return false when it is gone; the remains of a crash are deleted in that case, too
   */
  public boolean drop(Branch branch) {
    return drop(branch.name(), new Target.ExactBranch(branch));
  }

  /**
   * Deletes the remains of former branches of a name, and makes sure that no late write revives
   * one. A present branch isn't touched. A creation that is under way has to start over.
   */
  public void deleteRemains(BranchName name) {
    boolean unused = drop(name, new Target.RemainsOnly());
  }

  /**
   * Makes sure that documents in a directory belong to no branch, now or later: a creation that has
   * written them can't write its head any more.
   *
   * @return false when a branch has the documents, or the head was changed just now
   */
  public boolean invalidate(BranchName name, String home) {
    LedgerObjects target = objects.forBranch(name);
    Optional<Document> there = target.read(LedgerLayout.HEAD);
    Optional<Head.Versioned> head = there.flatMap(found -> Head.find(target, found));
    if (head.isEmpty()) {
      return new TombstoneWriter(target, settings).replace(there);
    }
    // It has replaced any head that was read before. Without an epoch its directory is unknown.
    return head.get()
        .head()
        .epoch()
        .filter(epoch -> !name.epochDirectory(epoch).equals(home))
        .isPresent();
  }

  /**
   * Fences off creations of branches whose documents exist by now and whose head doesn't. A
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
        // Another process has changed the head in between, or the answer was lost.
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
