// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.ledger.internal.branch.Lineage;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.DataFile;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.TypeIndex;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.internal.verify.FileVerifier.Expected;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.ObjectInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Verifier of the commits that a branch has and no branch before it, and of the branch's snapshots.
 */
final class BranchVerifier {

  /** Number of commits that are verified between two cursors. */
  private static final int BATCH = 32;

  /** A path that comes after every snapshot. */
  private static final String LAST = "\uffff";

  private final VerificationRun run;
  private final Tip tip;
  private final BranchName name;
  private final Optional<VerificationCursor> from;
  private final List<Expected> batch = new ArrayList<>();

  /**
   * A branch as it was when the run began.
   *
   * @param objects of the branch, with what its head leads to
   */
  record Tip(LedgerObjects objects, Head head) {

    /** Returns how many commits the branch has of its own. */
    long commits() {
      return head.commitId() - head.forked().map(fork -> fork.from().commitId()).orElse(0L);
    }
  }

  /**
   * Verifies a branch.
   *
   * @param from how much of the branch is done; empty for nothing
   */
  BranchVerifier(VerificationRun run, Tip tip, Optional<VerificationCursor> from) {
    this.run = run;
    this.tip = tip;
    this.name = tip.objects().branch();
    this.from = from;
  }

  /** Returns the position at which all of a branch is done. */
  static VerificationCursor allDone(BranchName branch) {
    return new VerificationCursor(branch, 0, LAST);
  }

  /** Returns false when the run was stopped before the end of the branch. */
  boolean verify() {
    return commits() && snapshots();
  }

  private boolean commits() {
    Optional<Link> newest = tip.head().tip();
    if (newest.isEmpty()) {
      return true;
    }
    ManifestWalk walk =
        new ManifestWalk(tip.objects(), run.chain(), name, newest.get(), this::damaged);
    int read = 0;
    while (walk.next().filter(link -> !run.isDone(link)).isPresent()) {
      if (run.isStopped()) {
        return false;
      }
      long commitId = walk.next().get().commitId();
      walk.read().ifPresent(this::add);
      run.count(1, 0, 0, 0);
      if (++read % BATCH == 0) {
        verifyBatch(commitId);
      }
    }
    verifyBatch(walk.next().map(Link::commitId).orElse(0L));
    return true;
  }

  /** Verifies one commit of the branch. */
  void verifyCommit(long commitId) {
    Link newest = tip.head().tip().orElseThrow();
    try {
      Link link = new Lineage(run.chain(), newest).at(commitId);
      new ManifestWalk(tip.objects(), run.chain(), name, link, this::damaged)
          .read()
          .ifPresent(this::add);
    } catch (CorruptLedgerException e) {
      String key = tip.objects().key(newest.path());
      String found = String.valueOf(e.getMessage());
      damaged(
          new ObjectDamage(
              ObjectDamage.DamageKind.UNREACHABLE,
              name,
              commitId,
              key,
              "a way to commit " + commitId,
              found));
    }
    run.count(1, 0, 0, 0);
    verifyBatch(commitId);
  }

  private void add(CommittedManifest commit) {
    long commitId = commit.manifest().commitId();
    if (from.filter(cursor -> commitId >= cursor.commitId()).isEmpty()) {
      for (DataFile file : commit.manifest().files()) {
        batch.add(Expected.of(name, commitId, file));
      }
    }
  }

  private void verifyBatch(long commitId) {
    run.withoutPurged(run.verifyFiles(batch)).forEach(this::damaged);
    run.count(0, batch.size(), 0, 0);
    batch.clear();
    if (from.filter(cursor -> cursor.commitId() <= commitId).isEmpty()) {
      run.reached(VerificationCursor.after(name, commitId));
    }
  }

  /** Verifies the snapshots of the branch; false when the run was stopped before their end. */
  boolean snapshots() {
    String done = from.map(VerificationCursor::snapshot).orElse("");
    for (Expected snapshot : snapshotFiles().tailMap(done).values()) {
      if (run.isStopped()) {
        return false;
      }
      if (!snapshot.path().equals(done) && run.isNew(snapshot.path())) {
        run.verifyFiles(List.of(snapshot)).stream()
            .filter(
                objectDamage -> snapshotFiles().containsKey(snapshot.path())) // or it was replaced
            .forEach(this::damaged);
        run.count(0, 0, 1, 0);
        run.reached(new VerificationCursor(name, 0, snapshot.path()));
      }
    }
    return true;
  }

  /** Returns the snapshots that the indices of the branch name now, by their paths. */
  private SortedMap<String, Expected> snapshotFiles() {
    SortedMap<String, Expected> snapshots = new TreeMap<>();
    LedgerObjects objects = tip.objects();
    List<String> paths;
    try (Stream<ObjectInfo> listed = objects.list(LedgerLayout.INDICES)) {
      paths = listed.map(info -> objects.path(info.key())).toList();
    }
    for (String path : paths) {
      LedgerLayout.indexedType(path)
          .ifPresent(
              type ->
                  entries(type, path).stream()
                      .filter(entry -> !entry.isOfOneCommit())
                      .map(entry -> Expected.of(name, type, entry))
                      .forEach(file -> snapshots.put(file.path(), file)));
    }
    return snapshots;
  }

  /**
   * Returns the entries of an index; none if it is missing or can't be used, which 'index verify'
   * finds.
   */
  private List<Entry> entries(TypeId type, String path) {
    return tip.objects()
        .get(path)
        .flatMap(stored -> TypeIndex.read(type, tip.head().epoch(), stored.bytes()))
        .map(TypeIndex::entries)
        .orElse(List.of());
  }

  /** Reports damage, unless the branch was dropped meanwhile and took the object along. */
  private void damaged(ObjectDamage objectDamage) {
    try {
      boolean isThere =
          Head.read(tip.objects().forBranch(name))
              .filter(now -> now.head().epoch().equals(tip.head().epoch()))
              .isPresent();
      if (!isThere) {
        return;
      }
    } catch (CorruptLedgerException e) {
      // The head was damaged since, which takes nothing away from what was found.
    }
    run.damaged(objectDamage);
  }
}
