// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.ledger.internal.branch.GcRoots;
import io.tidemark.ledger.internal.branch.Lineage;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.internal.verify.FileVerifier.Expected;
import io.tidemark.ledger.internal.verify.FileVerifier.Verified;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.threads.Prefetcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Run of a {@link Verification}: what it has counted and found, over all branches. */
final class VerificationRun {

  private final LedgerObjects objects;
  private final VerificationListener listener;
  private final BooleanSupplier stopped;
  private final FileVerifier files;
  private final ManifestChain manifestChain;
  private final Optional<VerificationCursor> after;
  private final List<Lineage> done = new ArrayList<>();
  private final Set<String> snapshots = new HashSet<>();
  private final List<ObjectDamage> first = new ArrayList<>();
  private Optional<GcRoots> heads = Optional.empty();
  private VerificationProgress now = VerificationProgress.none(0);

  VerificationRun(
      LedgerObjects objects,
      VerificationDepth depth,
      Optional<VerificationCursor> after,
      VerificationListener listener,
      BooleanSupplier stopped,
      long largest) {
    this.objects = objects;
    this.listener = listener;
    this.stopped = stopped;
    this.after = after;
    this.files = new FileVerifier(objects, depth, largest);
    this.manifestChain =
        new ManifestChain(objects); // of its own: manifests in another chain's cache may be gone
  }

  VerificationReport verify(List<BranchVerifier.Tip> tips) {
    long all = tips.stream().mapToLong(BranchVerifier.Tip::commits).sum();
    now = now.withOfCommits(all).withCursor(after);
    boolean skipping = after.isPresent();
    for (BranchVerifier.Tip tip : tips) {
      BranchName name = tip.objects().branch();
      boolean isNext = after.filter(cursor -> cursor.branch().equals(name)).isPresent();
      skipping = skipping && !isNext;
      Optional<VerificationCursor> from =
          skipping ? Optional.of(BranchVerifier.allDone(name)) : after.filter(cursor -> isNext);
      if (!new BranchVerifier(this, tip, from).verify()) {
        return new VerificationReport(now, first, false);
      }
      tip.head().tip().map(link -> new Lineage(manifestChain, link)).ifPresent(done::add);
    }
    return new VerificationReport(now, first, true);
  }

  /** Verifies the newest commit of each branch, and other commits that are chosen at random. */
  VerificationReport sample(List<BranchVerifier.Tip> tips, int commits, RandomGenerator random) {
    List<BranchVerifier.Tip> withCommits =
        tips.stream().filter(tip -> tip.head().commitId() > 0).toList();
    for (int i = 0; i < commits; i++) {
      boolean isNewest = i < withCommits.size();
      BranchVerifier.Tip tip = isNewest ? withCommits.get(i) : anyOf(withCommits, random);
      long newest = tip.head().commitId();
      long chosen = isNewest ? newest : random.nextLong(1, newest + 1);
      new BranchVerifier(this, tip, Optional.empty()).verifyCommit(chosen);
    }
    tips.forEach(tip -> new BranchVerifier(this, tip, Optional.empty()).snapshots());
    return new VerificationReport(now, first, true);
  }

  private static BranchVerifier.Tip anyOf(List<BranchVerifier.Tip> tips, RandomGenerator random) {
    return tips.get(random.nextInt(tips.size()));
  }

  ManifestChain chain() {
    return manifestChain;
  }

  boolean isStopped() {
    return stopped.getAsBoolean() || Thread.currentThread().isInterrupted();
  }

  /** Returns whether an earlier branch has this commit, and with it all commits before. */
  boolean isDone(Link link) {
    return done.stream().anyMatch(lineage -> contains(lineage, link));
  }

  private static boolean contains(Lineage lineage, Link link) {
    try {
      return lineage.contains(link);
    } catch (CorruptLedgerException e) {
      return false; // it is read again, and what is damaged is known by its key
    }
  }

  /** Returns whether this run meets a snapshot, which branches may share, for the first time. */
  boolean isNew(String snapshot) {
    return snapshots.add(snapshot);
  }

  /**
   * Leaves out files that are gone because their type was dropped with its history. The heads are
   * read once for all of them, and again only for files that aren't explained by what was read
   * before: a drop may have come since.
   */
  List<ObjectDamage> withoutPurged(List<ObjectDamage> damages) {
    List<ObjectDamage> left =
        damages.stream().filter(objectDamage -> !isPurged(objectDamage)).toList();
    if (left.stream()
        .noneMatch(objectDamage -> objectDamage.kind() == ObjectDamage.DamageKind.MISSING)) {
      return left;
    }
    try {
      heads = Optional.of(GcRoots.ofHeads(objects, manifestChain));
    } catch (CorruptLedgerException e) {
      return left; // a damaged head hides whether they are
    }
    return left.stream().filter(objectDamage -> !isPurged(objectDamage)).toList();
  }

  private boolean isPurged(ObjectDamage objectDamage) {
    String path = objects.path(objectDamage.key());
    Optional<TypeId> type = LedgerLayout.dataType(path);
    if (heads.isEmpty()
        || objectDamage.kind() != ObjectDamage.DamageKind.MISSING
        || type.isEmpty()) {
      return false;
    }
    String directory = path.substring(0, path.indexOf('/', LedgerLayout.COMMITS.length()) + 1);
    try {
      return !heads.get().drops(objectDamage.commitId(), directory, type.get()).isEmpty();
    } catch (CorruptLedgerException e) {
      return false; // a damaged manifest hides whether it is
    }
  }

  /** Verifies files, many at a time; returns what is damaged. */
  List<ObjectDamage> verifyFiles(List<Expected> expected) {
    List<ObjectDamage> damages = new ArrayList<>();
    try (Prefetcher<Expected, Verified> ahead =
        Prefetcher.of(expected, files::verify, unwanted -> {})) {
      for (int i = 0; i < expected.size(); i++) {
        Verified verified = ahead.next();
        verified.damage().ifPresent(damages::add);
        count(0, 0, 0, verified.bytes());
      }
    }
    return damages;
  }

  void count(long commits, long dataFiles, long snapshotFiles, long bytes) {
    now =
        now.withCommits(now.commits() + commits)
            .withFiles(now.files() + dataFiles)
            .withSnapshots(now.snapshots() + snapshotFiles)
            .withBytes(now.bytes() + bytes);
  }

  void damaged(ObjectDamage objectDamage) {
    now = now.withDamaged(now.damaged() + 1);
    if (first.size() < VerificationReport.MOST) {
      first.add(objectDamage);
    }
    listener.found(objectDamage);
  }

  void reached(VerificationCursor cursor) {
    now = now.withCursor(Optional.of(cursor));
    listener.progress(now);
  }
}
