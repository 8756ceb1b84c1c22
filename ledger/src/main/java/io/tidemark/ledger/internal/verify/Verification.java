// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.ledger.internal.branch.BranchStore;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.UninitializedLedgerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Verification that every object that the commits of a ledger need is there and is what was
 * written, on all branches. Changes nothing and takes no lock; needs no intact head manifest, as
 * opening a ledger does.
 *
 * <p>Manifests are always read, from the newest back. Data files and snapshots are looked up, or
 * read and hashed, by {@link VerificationDepth}. A run that was stopped or failed goes on from the
 * cursor of its last progress: files of commits that are done aren't read again, and what was
 * written since the first run isn't either.
 */
public final class Verification {

  /** The largest file that {@link #sample} reads. */
  public static final long SAMPLED_BYTES = 16 << 20;

  private final LedgerObjects objects;
  private volatile boolean stopped;

  /** Creates the verification of a ledger, whichever branch the objects are of. */
  public Verification(LedgerObjects objects) {
    this.objects = objects.forBranch(BranchName.MAIN);
  }

  /**
   * Verifies the ledger.
   *
   * @param after where an earlier run stopped; empty to verify everything
   * @throws UninitializedLedgerException when there is no ledger
   * @throws InvalidCursorException when the cursor is of a branch that there isn't
   */
  public VerificationReport run(
      VerificationDepth depth, Optional<VerificationCursor> after, VerificationListener listener) {
    VerificationRun run =
        new VerificationRun(objects, depth, after, listener, () -> stopped, Long.MAX_VALUE);
    List<BranchVerifier.Tip> tips = tips(run);
    if (after.isPresent()
        && tips.stream().noneMatch(tip -> tip.objects().branch().equals(after.get().branch()))) {
      throw new InvalidCursorException(after.get().text());
    }
    return run.verify(tips);
  }

  /**
   * Verifies the files of some commits, the newest of each branch among them, and the snapshots. Of
   * files above {@link #SAMPLED_BYTES} only the size is compared. A ledger of few commits is
   * verified whole.
   *
   * @param commits how many commits
   * @throws UninitializedLedgerException when there is no ledger
   */
  public VerificationReport sample(int commits, RandomGenerator random) {
    VerificationRun run =
        new VerificationRun(
            objects,
            VerificationDepth.CONTENT,
            Optional.empty(),
            VerificationListener.none(),
            () -> stopped,
            SAMPLED_BYTES);
    List<BranchVerifier.Tip> tips = tips(run);
    long all = tips.stream().mapToLong(BranchVerifier.Tip::commits).sum();
    return all <= commits ? run.verify(tips) : run.sample(tips, commits, random);
  }

  private List<BranchVerifier.Tip> tips(VerificationRun run) {
    List<BranchVerifier.Tip> tips = new ArrayList<>();
    BranchStore.names(objects).forEach(name -> tip(name, run).ifPresent(tips::add));
    return tips;
  }

  /** Ends a run after the files that are being read, from any thread. */
  public void stop() {
    stopped = true;
  }

  private Optional<BranchVerifier.Tip> tip(BranchName name, VerificationRun run) {
    LedgerObjects branch = objects.forBranch(name);
    try {
      Optional<Head> head = Head.read(branch).map(Head.Versioned::head);
      if (head.isEmpty() && name.isMain()) {
        throw objects.uninitialized();
      }
      return head.map(found -> new BranchVerifier.Tip(branch.forHead(found), found));
    } catch (CorruptLedgerException e) {
      run.damaged(
          new ObjectDamage(
              ObjectDamage.DamageKind.UNREADABLE,
              name,
              0,
              branch.key(LedgerLayout.HEAD),
              "the head of the branch",
              String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }
}
