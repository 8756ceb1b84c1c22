// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.branch.DroppedBranch.Which;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.LedgerObjects.Document;
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
 * changes from a version that somebody has read: {@link NewBranch} and {@link DroppedBranch} say
 * how that keeps out whoever comes late.
 */
public final class Branches {

  private static final String HEAD_END = "/" + Layout.HEAD;

  private final LedgerObjects objects;
  private final Chain chain;
  private final Heads heads;
  private final WriterSettings settings;

  /** Of a ledger; new ones are made from the branch that the objects are of. */
  public Branches(LedgerObjects objects, Chain chain, Heads heads, WriterSettings settings) {
    this.objects = objects;
    this.chain = chain;
    this.heads = heads;
    this.settings = settings;
  }

  /** How making a branch ended. */
  public sealed interface Creation {

    /** It is there, now or by an earlier try whose answer was lost, at the commit asked for. */
    record Made(Branch branch) implements Creation {}

    /** There is another of that name, which is left as it is. */
    record Taken(Branch other) implements Creation {}
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
    return Head.read(objects.on(name)).map(found -> Branch.of(name, found.head()));
  }

  /**
   * The names of all branches that there are or were, main first, in the order of their keys. Only
   * the head tells whether there still is one.
   */
  public static List<BranchName> names(LedgerObjects objects) {
    List<BranchName> names = new ArrayList<>(List.of(BranchName.MAIN));
    LedgerObjects main = objects.on(BranchName.MAIN);
    try (Stream<ObjectInfo> found = main.list(Layout.BRANCHES)) {
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
  public static List<String> besidesMain(LedgerObjects objects) {
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
  public Creation create(BranchName name) {
    return name.isMain() ? taken() : newBranch(name).at(base -> base.head().commitId());
  }

  /**
   * Makes a branch at a commit of this one.
   *
   * @throws UnknownCommitException when there is no such commit
   */
  public Creation createAt(BranchName name, long commitId) {
    return name.isMain() ? taken() : newBranch(name).at(base -> commitId);
  }

  /**
   * Makes a branch as it stands in another store, from where its commits have been copied.
   *
   * @param forked where it is to be said to have begun, which is a commit that is here
   */
  public Creation createAs(BranchName name, Standing elsewhere, Head.Forked forked) {
    return name.isMain() ? taken() : newBranch(name).as(elsewhere, forked);
  }

  private NewBranch newBranch(BranchName name) {
    Point.requireName(name);
    return new NewBranch(objects, chain, heads, settings, name);
  }

  private Creation taken() {
    return new Creation.Taken(find(BranchName.MAIN).orElseThrow());
  }

  /**
   * Drops a branch, whichever has the name. Its commits are left to the next cleaning, unless
   * another branch has them.
   *
   * @return false when there is none of that name; what a crash left of it is gone then, too
   */
  public boolean drop(BranchName name) {
    return drop(name, new Which.Whichever());
  }

  /**
   * Drops this very branch, wherever its head is by now, and none that has got its name since or is
   * about to get it.
   *
   * @return false when it is gone; what a crash left of it is gone then, too
   */
  public boolean drop(Branch branch) {
    return drop(branch.name(), new Which.Only(branch));
  }

  /**
   * Removes what is left of branches of a name that aren't there, and sees to it that none comes of
   * it late; one that there is isn't touched. Who is just making one has to begin anew.
   */
  public void clean(BranchName name) {
    boolean unused = drop(name, new Which.None());
  }

  /**
   * Sees to it that what was found in a home is of no branch, now and for good: who has written it
   * and may still be about to make a branch of it doesn't get its head in any more.
   *
   * @return false when there is a branch that has it, or the head was changed just now
   */
  public boolean abandon(BranchName name, String home) {
    LedgerObjects target = objects.on(name);
    Optional<Document> there = target.read(Layout.HEAD);
    Optional<Head.Versioned> head = there.flatMap(found -> Head.find(target, found));
    if (head.isEmpty()) {
      return new Tombstone(target, settings).replace(there);
    }
    // It has replaced what any other had read. Without an epoch, nobody knows what it has.
    return head.get().head().epoch().filter(epoch -> !name.home(epoch).equals(home)).isPresent();
  }

  /**
   * Keeps branches from coming to be whose documents are there by now and whose head isn't. A
   * creation that is interrupted by this fails, and can be repeated.
   */
  public void abandonUnfinished() {
    LedgerObjects main = objects.on(BranchName.MAIN);
    Set<String> homes;
    try (Stream<ObjectInfo> found = main.list(Layout.BRANCHES)) {
      homes =
          found
              .flatMap(info -> Layout.homeOf(main.path(info.key())).stream())
              .collect(Collectors.toSet());
    }
    for (String home : homes) {
      BranchName name = BranchName.of(home).orElseThrow();
      while (find(name).isEmpty() && !abandon(name, home)) {
        // Somebody else has changed the head in between, or the answer was lost.
      }
    }
  }

  private boolean drop(BranchName name, Which which) {
    if (name.isMain()) {
      throw new BranchRefusedException("main can't be dropped; the other branches are made of it");
    }
    return new DroppedBranch(objects.on(name), settings, which).drop();
  }
}
