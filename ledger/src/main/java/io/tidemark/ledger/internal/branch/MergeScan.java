// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflict;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflicted;
import io.tidemark.ledger.internal.branch.MergeOutcome.Counts;
import io.tidemark.ledger.internal.commit.WriteBuffer;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Scan for the rows that the target of a merge has to write: reads each identity in which the
 * source differs from a base, and the target's row of it. Payloads are kept in a queue, which
 * spills to the disk.
 */
final class MergeScan implements AutoCloseable {

  private final List<CommitState> bases;
  private final CommitState ours;
  private final CommitState theirs;
  private final ConflictResolution conflictResolution;
  private final WriteBuffer queue = new WriteBuffer();
  private final SortedMap<TypeId, Counts> counts = new TreeMap<>();
  private final List<Conflict> conflicts = new ArrayList<>();
  private long total;

  MergeScan(
      List<CommitState> bases,
      CommitState ours,
      CommitState theirs,
      ConflictResolution conflictResolution) {
    this.bases = List.copyOf(bases);
    this.ours = ours;
    this.theirs = theirs;
    this.conflictResolution = conflictResolution;
  }

  /** Returns the types in which the source may differ from a base. */
  SortedSet<TypeId> types() {
    SortedSet<TypeId> types = new TreeSet<>();
    bases.forEach(base -> types.addAll(Diff.asWritten(base, theirs).types()));
    return types;
  }

  /**
   * Scans one type.
   *
   * @param first called before the first row in which the source differs
   */
  void run(TypeId type, Runnable first) {
    boolean[] called = {false};
    for (int i = 0; i < bases.size(); i++) {
      int number = i;
      Diff.asWritten(bases.get(i), theirs)
          .forEachPart(
              type,
              all -> {
                // A drop removed the rows that only a base has: there is nothing to be taken.
                List<Difference> part =
                    all.stream().filter(each -> each.after().isPresent()).toList();
                if (!called[0] && !part.isEmpty()) {
                  called[0] = true;
                  first.run();
                }
                compare(type, number, part);
              });
    }
  }

  private void compare(TypeId type, int number, List<Difference> part) {
    List<Identity> identities = part.stream().map(Difference::identity).toList();
    Map<Identity, Row> mine = ours.rows(type, identities);
    List<Map<Identity, Row>> others = new ArrayList<>();
    for (int i = 0; i < bases.size(); i++) {
      others.add(i == number ? Map.of() : bases.get(i).rows(type, identities));
    }
    for (Difference each : part) {
      List<Optional<Row>> before = new ArrayList<>();
      for (int i = 0; i < bases.size(); i++) {
        before.add(
            i == number ? each.before() : Optional.ofNullable(others.get(i).get(each.identity())));
      }
      boolean seen = before.subList(0, number).stream().anyMatch(old -> isOther(old, each));
      if (!seen) {
        merge(each, before, Optional.ofNullable(mine.get(each.identity())));
      }
    }
  }

  /** Returns whether the row differs from an earlier base as well, and so was scanned already. */
  private static boolean isOther(Optional<Row> base, Difference each) {
    return base.isEmpty()
        || each.after()
            .filter(after -> PayloadComparison.equalByValue(base.get(), after))
            .isEmpty();
  }

  private void merge(Difference each, List<Optional<Row>> before, Optional<Row> mine) {
    Row after = each.after().orElseThrow();
    if (mine.isEmpty()) {
      write(each, PayloadComparison.of(after), new Counts(1, 0, 0));
      return;
    }
    if (PayloadComparison.equalByValue(mine.get(), after)) {
      return;
    }
    List<ObjectNode> old =
        before.stream()
            .map(row -> row.map(PayloadComparison::of).orElse(CanonicalJson.object()))
            .toList();
    ObjectNode own = PayloadComparison.of(mine.get());
    FieldMerge merge = FieldMerge.of(old, own, PayloadComparison.of(after), conflictResolution);
    if (!merge.conflicts().isEmpty() && conflictResolution == ConflictResolution.REFUSE) {
      total++;
      if (conflicts.size() < Conflicted.SHOWN) {
        conflicts.add(new Conflict(each.type(), each.identity(), merge.conflicts()));
      }
      return;
    }
    if (!PayloadComparison.equalByValue(own, merge.fields())) {
      boolean whole = PayloadComparison.equalByValue(PayloadComparison.of(after), merge.fields());
      write(each, merge.fields(), counts(merge, whole));
    }
  }

  private static Counts counts(FieldMerge merge, boolean whole) {
    if (!merge.conflicts().isEmpty()) {
      return new Counts(0, 0, 1);
    }
    return whole ? new Counts(1, 0, 0) : new Counts(0, 1, 0);
  }

  private void write(Difference each, ObjectNode fields, Counts count) {
    queue.add(new Fact(each.type(), each.identity(), CanonicalJson.write(fields)));
    counts.merge(
        each.type(),
        count,
        (a, b) ->
            new Counts(
                a.taken() + b.taken(), a.combined() + b.combined(), a.resolved() + b.resolved()));
  }

  WriteBuffer queue() {
    return queue;
  }

  SortedMap<TypeId, Counts> counts() {
    return counts;
  }

  /** Returns the conflicts, if there are any. */
  Optional<Conflicted> conflicted(long base) {
    return total == 0
        ? Optional.empty()
        : Optional.of(new Conflicted(theirs.commitId(), base, total, conflicts));
  }

  @Override
  public void close() {
    queue.close();
  }
}
