// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.tidemark.ledger.Commit;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.OnConflict;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Conflict policy and precondition of an import, and the count of what became of its rows. Counts
 * are of the base that was looked at last, and are added up when that is done.
 */
final class ImportCondition implements CommitCondition {

  /** Maximum number of conflicts that are named. */
  private static final int NAMED = 10;

  private final OnConflict onConflict;
  private Precondition precondition;
  private Counts current = new Counts();
  private final Counts sum = new Counts();
  private Optional<String> otherHead = Optional.empty();

  /** Counts of what became of rows. */
  static final class Counts {
    long inserts;
    long updates;
    long unchanged;
    long skipped;
    long conflicts;
    final List<String> named = new ArrayList<>();

    void add(Counts other) {
      inserts += other.inserts;
      updates += other.updates;
      unchanged += other.unchanged;
      skipped += other.skipped;
      conflicts += other.conflicts;
      named.addAll(other.named);
    }

    private void conflict(TypeId type, Supplier<Identity> identity, String why) {
      conflicts++;
      if (named.size() < NAMED) {
        named.add(type + " " + identity.get() + " " + why);
      }
    }
  }

  ImportCondition(OnConflict onConflict, Precondition precondition) {
    this.onConflict = onConflict;
    this.precondition = precondition;
  }

  @Override
  public void start(PinnedHead pinnedHead) {
    current = new Counts();
    long head = pinnedHead.head().commitId();
    otherHead =
        precondition instanceof Precondition.IfCommitId wanted && wanted.commitId() != head
            ? Optional.of("the newest commit is " + head + ", not " + wanted.commitId())
            : Optional.empty();
  }

  @Override
  public boolean admits(TypeId type, Supplier<Identity> identity, RowMatch rowMatch) {
    boolean there = rowMatch != RowMatch.ABSENT;
    if (precondition == Precondition.Presence.MUST_EXIST && !there) {
      current.conflict(type, identity, "isn't there");
      return false;
    }
    if (there
        && (precondition == Precondition.Presence.MUST_NOT_EXIST
            || onConflict == OnConflict.ABORT)) {
      current.conflict(type, identity, "is there already");
      return false;
    }
    if (there && onConflict == OnConflict.SKIP) {
      current.skipped++;
      return false;
    }
    count(rowMatch);
    return true;
  }

  private void count(RowMatch rowMatch) {
    switch (rowMatch) {
      case ABSENT -> current.inserts++;
      case DIFFERENT -> current.updates++;
      case EQUAL -> current.unchanged++;
    }
  }

  @Override
  public boolean isMet() {
    return current.conflicts == 0 && otherHead.isEmpty();
  }

  @Override
  public void finish() {
    if (isMet()) {
      sum.add(current);
    }
  }

  /** Requires from now on the commit that this import has made. */
  void advanceTo(Commit commit) {
    if (precondition instanceof Precondition.IfCommitId) {
      precondition = new Precondition.IfCommitId(commit.id());
    }
  }

  /** Returns the counts of the base that was looked at last. */
  Counts found() {
    return current;
  }

  /** Returns the counts of what has been done. */
  Counts applied() {
    return sum;
  }

  /** Returns how the head differs from the one that was asked for, if it does. */
  Optional<String> otherHead() {
    return otherHead;
  }
}
