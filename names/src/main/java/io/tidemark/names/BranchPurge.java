// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Purge of the branches of a name from the leaves to the root. It judges by one listing of the
 * name's records, so that the number of requests grows with the number of branches and not with its
 * square.
 *
 * <p>A record that is still as it was listed has no branch that the listing hasn't: branch creation
 * always writes the source record too, after the new branch. Only a record that isn't as it was
 * listed needs its branches counted anew.
 */
final class BranchPurge {

  private final NameService names;

  /** The records that are left, by branch, in the order of the listing. */
  private final Map<String, NameRecord> left = new LinkedHashMap<>();

  /** How many branches were made from each, as listed. */
  private final Map<String, Integer> listed = new HashMap<>();

  /** How many of those are left. */
  private final Map<String, Integer> children = new HashMap<>();

  /**
   * Purges some of the listed records.
   *
   * @param family the ledgers of a name, all of them
   */
  BranchPurge(NameService names, List<NameRecord> family) {
    this.names = names;
    family.forEach(record -> left.put(record.address().branch(), record));
    family.forEach(
        record -> record.meta().sourceBranch().ifPresent(b -> listed.merge(b, 1, Integer::sum)));
    children.putAll(listed);
  }

  /**
   * Purges the branches whose drop was deferred until their own branches were gone, and returns
   * them.
   */
  List<Address> purgeDeferred() {
    List<Address> gone = new ArrayList<>();
    Deque<NameRecord> ready = new ArrayDeque<>();
    left.values().stream().filter(this::isReadyToPurge).forEach(ready::add);
    while (!ready.isEmpty()) {
      NameRecord record = ready.remove();
      if (purge(record, EditRequest.Sweepable.DROPPING)) {
        gone.add(record.address());
        source(record).filter(this::isReadyToPurge).ifPresent(ready::add);
      }
    }
    return gone;
  }

  private boolean isReadyToPurge(NameRecord record) {
    return RetractedStatus.isDropping(record)
        && record.meta().sourceBranch().isPresent()
        && remainingChildren(record) == 0;
  }

  /** Purges a record, unless there are branches of it; false when there are, or it is gone. */
  boolean purge(NameRecord record) {
    return remainingChildren(record) == 0 && purge(record, EditRequest.Sweepable.ANY);
  }

  private boolean purge(NameRecord record, EditRequest.Sweepable which) {
    Optional<EditResult> edited =
        names.edit(
            record.address(),
            new EditRequest.Sweep(record, count(listed, record.address().branch()), which));
    if (edited.flatMap(EditResult::after).isPresent() || edited.isEmpty()) {
      return false;
    }
    left.remove(record.address().branch());
    record.meta().sourceBranch().ifPresent(branch -> children.merge(branch, -1, Integer::sum));
    return true;
  }

  /** Returns the records that are left, in the order of the listing. */
  List<NameRecord> remaining() {
    return List.copyOf(left.values());
  }

  private Optional<NameRecord> source(NameRecord record) {
    return record.meta().sourceBranch().map(left::get);
  }

  private int remainingChildren(NameRecord record) {
    return count(children, record.address().branch());
  }

  private static int count(Map<String, Integer> counts, String branch) {
    return counts.getOrDefault(branch, 0);
  }
}
