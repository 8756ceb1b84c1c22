// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.ledger.internal.branch.Lineage;
import io.tidemark.ledger.internal.branch.Roots;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest.Link;
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

/** One run of a {@link Verification}: what it has counted and found, over all branches. */
final class VerifyRun {

  private final LedgerObjects objects;
  private final VerifyListener listener;
  private final BooleanSupplier stopped;
  private final FileVerifier files;
  private final Chain chain;
  private final Optional<VerifyCursor> after;
  private final List<Lineage> done = new ArrayList<>();
  private final Set<String> snapshots = new HashSet<>();
  private final List<Damage> first = new ArrayList<>();
  private Optional<Roots> heads = Optional.empty();
  private VerifyProgress now = VerifyProgress.none(0);

  VerifyRun(
      LedgerObjects objects,
      VerifyDepth depth,
      Optional<VerifyCursor> after,
      VerifyListener listener,
      BooleanSupplier stopped,
      long largest) {
    this.objects = objects;
    this.listener = listener;
    this.stopped = stopped;
    this.after = after;
    this.files = new FileVerifier(objects, depth, largest);
    this.chain = new Chain(objects); // of its own: manifests that others have cached may be gone
  }

  VerifyReport verify(List<BranchVerifier.Tip> tips) {
    long all = tips.stream().mapToLong(BranchVerifier.Tip::commits).sum();
    now = now.withOfCommits(all).withCursor(after);
    boolean skipping = after.isPresent();
    for (BranchVerifier.Tip tip : tips) {
      BranchName name = tip.objects().branch();
      boolean isNext = after.filter(cursor -> cursor.branch().equals(name)).isPresent();
      skipping = skipping && !isNext;
      Optional<VerifyCursor> from =
          skipping ? Optional.of(BranchVerifier.allDone(name)) : after.filter(cursor -> isNext);
      if (!new BranchVerifier(this, tip, from).verify()) {
        return new VerifyReport(now, first, false);
      }
      tip.head().tip().map(link -> new Lineage(chain, link)).ifPresent(done::add);
    }
    return new VerifyReport(now, first, true);
  }

  /** Verifies the newest commit of each branch, and others that are chosen at random. */
  VerifyReport sample(List<BranchVerifier.Tip> tips, int commits, RandomGenerator random) {
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
    return new VerifyReport(now, first, true);
  }

  private static BranchVerifier.Tip anyOf(List<BranchVerifier.Tip> tips, RandomGenerator random) {
    return tips.get(random.nextInt(tips.size()));
  }

  Chain chain() {
    return chain;
  }

  boolean isStopped() {
    return stopped.getAsBoolean() || Thread.currentThread().isInterrupted();
  }

  /** Whether a branch before has this commit, and with it all commits before. */
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

  /** Whether a snapshot, which branches may share, wasn't verified before in this run. */
  boolean isNew(String snapshot) {
    return snapshots.add(snapshot);
  }

  /**
   * Leaves out files that are gone because their type was dropped with its history. The heads are
   * read once for all of them, and again only for files that aren't explained by what was read
   * before: a drop may have come since.
   */
  List<Damage> withoutPurged(List<Damage> damages) {
    List<Damage> left = damages.stream().filter(damage -> !isPurged(damage)).toList();
    if (left.stream().noneMatch(damage -> damage.kind() == Damage.Kind.MISSING)) {
      return left;
    }
    try {
      heads = Optional.of(Roots.ofHeads(objects, chain));
    } catch (CorruptLedgerException e) {
      return left; // a damaged head hides whether they are
    }
    return left.stream().filter(damage -> !isPurged(damage)).toList();
  }

  private boolean isPurged(Damage damage) {
    String path = objects.path(damage.key());
    Optional<TypeId> type = Layout.dataType(path);
    if (heads.isEmpty() || damage.kind() != Damage.Kind.MISSING || type.isEmpty()) {
      return false;
    }
    String directory = path.substring(0, path.indexOf('/', Layout.COMMITS.length()) + 1);
    try {
      return !heads.get().drops(damage.commitId(), directory, type.get()).isEmpty();
    } catch (CorruptLedgerException e) {
      return false; // a damaged manifest hides whether it is
    }
  }

  /** Verifies files, many at a time; returns what is damaged. */
  List<Damage> verifyFiles(List<Expected> expected) {
    List<Damage> damages = new ArrayList<>();
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

  void damaged(Damage damage) {
    now = now.withDamaged(now.damaged() + 1);
    if (first.size() < VerifyReport.MOST) {
      first.add(damage);
    }
    listener.found(damage);
  }

  void reached(VerifyCursor cursor) {
    now = now.withCursor(Optional.of(cursor));
    listener.progress(now);
  }
}
