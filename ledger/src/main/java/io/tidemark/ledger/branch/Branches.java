// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.branch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.UnknownCommitException;
import io.tidemark.ledger.commit.Adoption;
import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.commit.Heads;
import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.Head;
import io.tidemark.ledger.store.Layout;
import io.tidemark.ledger.store.LedgerObjects;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.Manifest.Link;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.lease.Lease;
import io.tidemark.objects.lease.LeaseLock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes and drops the branches of a ledger.
 *
 * <p>A branch is there exactly when its head is. Whoever makes one writes, under the lock that the
 * branch will have, all else first and the head last, on condition that there is none: a crash
 * leaves what the next to make it clears away. Whoever drops one removes the head first, so that a
 * crash leaves no branch either, and before that writes a note of where the head was: by the note,
 * {@link Roots} keeps the branch's commits for a while, for the sake of those who are just about to
 * make a branch of one of them, or to merge it.
 */
public final class Branches {

  /** Where the note of a dropped branch is, below the branch's directory. */
  static final String DROPPED = "dropped/";

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
    List<Branch> all = new ArrayList<>();
    for (BranchName name : names(objects)) {
      find(name).ifPresent(all::add);
    }
    return all;
  }

  /** A branch; empty when there is none of that name. */
  public Optional<Branch> find(BranchName name) {
    return Head.read(objects.on(name)).map(found -> Branch.of(name, found.head()));
  }

  /** The names of all branches, main first, in the order of their keys. */
  static List<BranchName> names(LedgerObjects objects) {
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
    return names(objects).stream().filter(name -> !name.isMain()).map(BranchName::text).toList();
  }

  /** Makes a branch at the head of this one. */
  public Creation create(BranchName name) {
    return create(name, base -> base.head().commitId());
  }

  /**
   * Makes a branch at a commit of this one.
   *
   * @throws UnknownCommitException when there is no such commit
   */
  public Creation createAt(BranchName name, long commitId) {
    return create(name, base -> commitId);
  }

  private Creation create(BranchName name, Function<Base, Long> at) {
    LedgerObjects target = objects.on(name);
    if (name.isMain()) {
      return new Creation.Taken(find(name).orElseThrow());
    }
    Base before = heads.refresh();
    from(before, at.apply(before)); // fails before anything is written
    try (Lease lease = lock(target)) {
      Base seen = heads.refresh();
      Base source = new Base(seen.versioned(), seen.newest().map(this::whole));
      Link from = from(source, at.apply(source));
      Head.Forked forked = new Head.Forked(objects.branch().text(), from);
      Optional<Head.Versioned> there = Head.read(target);
      if (there.isPresent()) {
        return judge(name, there.get().head(), forked);
      }
      clear(target, lease);
      new Fork(objects, chain, source, from).write(target, epochOf(lease));
      requireStillThere(source);
      lease.guard();
      return begin(target, forked, epochOf(lease));
    }
  }

  /** The source's commits stay for a while after it was dropped, but not for ever: see Roots. */
  private void requireStillThere(Base source) {
    Optional<String> epoch = source.head().epoch();
    Optional<Head> now = Head.read(objects).map(Head.Versioned::head);
    // A head without an epoch is of another program, which has left it out.
    if (now.filter(head -> head.epoch().isEmpty() || head.epoch().equals(epoch)).isEmpty()) {
      throw gone(objects.branch());
    }
  }

  private Manifest whole(Manifest newest) {
    return Adoption.of(chain, newest);
  }

  /** One of its own for each try, by which a try whose answer was lost is known. */
  private static String epochOf(Lease lease) {
    return UUID.nameUUIDFromBytes(lease.ownerId().getBytes(UTF_8)).toString();
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

  private Creation begin(LedgerObjects target, Head.Forked forked, String epoch) {
    ObjectNode head = Head.ofBranch(forked, now(), settings.runtimeId(), epoch);
    try {
      if (target.write(Layout.HEAD, head, Condition.ifAbsent()).written()) {
        return new Creation.Made(
            new Branch(target.branch(), forked.from().commitId(), Optional.of(forked)));
      }
    } catch (OutcomeUnknownException e) {
      if (Head.read(target).isEmpty()) {
        throw e;
      }
    }
    Head there = Head.read(target).orElseThrow(() -> gone(target.branch())).head();
    return judge(target.branch(), there, forked);
  }

  /**
   * A branch that begins where it was to begin, and hasn't moved, is the one that was asked for.
   */
  private static Creation judge(BranchName name, Head there, Head.Forked forked) {
    Branch branch = Branch.of(name, there);
    boolean same =
        there.forked().equals(Optional.of(forked))
            && there.tip().equals(Optional.of(forked.from()));
    return same ? new Creation.Made(branch) : new Creation.Taken(branch);
  }

  /**
   * Drops a branch. Its commits are left to the next cleaning, unless another branch has them.
   *
   * @return false when there is none of that name; what a crash left of it is gone then, too
   */
  public boolean drop(BranchName name) {
    if (name.isMain()) {
      throw new BranchRefusedException("main can't be dropped; the other branches are made of it");
    }
    LedgerObjects target = objects.on(name);
    if (own(target).isEmpty()) {
      return false;
    }
    try (Lease lease = lock(target)) {
      Optional<Head> head = Head.read(target).map(Head.Versioned::head);
      head.ifPresent(found -> note(target, found));
      lease.guard();
      target.delete(Layout.HEAD);
      clear(target, lease);
      return head.isPresent();
    }
  }

  private void note(LedgerObjects target, Head head) {
    ObjectNode note =
        CanonicalJson.object()
            .put("commit_id", head.commitId())
            .put("manifest_path", head.manifestPath().orElseThrow())
            .put("dropped_at", UtcTimestamp.format(now()));
    String path = target.branch().directory() + DROPPED + head.epoch().orElse("unknown") + ".json";
    target.write(path, note, Condition.none());
  }

  /** Everything of the branch but its lock and its note: it has no head, so nobody reads it. */
  private static void clear(LedgerObjects target, Lease lease) {
    for (String path : own(target)) {
      if (!path.equals(Layout.HEAD)) {
        lease.guard(); // who has lost it may meet a branch that was made anew
        target.delete(path);
      }
    }
  }

  private static List<String> own(LedgerObjects target) {
    try (Stream<ObjectInfo> found = target.list(Layout.META)) {
      return found
          .map(info -> target.path(info.key()))
          .filter(path -> !path.startsWith(Layout.LOCKS))
          .toList();
    }
  }

  private Lease lock(LedgerObjects target) {
    LeaseLock lock =
        new LeaseLock(
            target.store(), target.key(Layout.LOCK), settings.leaseTtl(), settings.time());
    if (lock.acquire(settings.runtimeId(), settings.lockTimeout())
        instanceof LeaseLock.Acquired acquired) {
      return acquired.lease().keepAlive();
    }
    throw new LockContentionException(
        "branch " + target.branch() + " is being written; try again when it isn't");
  }

  private UnknownBranchException gone(BranchName name) {
    return new UnknownBranchException(name.text(), objects.location());
  }

  private Instant now() {
    return objects.store().clock().instant();
  }
}
