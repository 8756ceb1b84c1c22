// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.Retry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A ledger with all its branches. There is no one step that takes them all, so dropping it goes
 * from the leaves to the root and begins again as long as it finds some: a branch that was made
 * meanwhile is dropped as well.
 */
final class LedgerDropper {

  private final NameService names;
  private final String name;

  LedgerDropper(NameService names, String name) {
    this.names = names;
    this.name = name;
  }

  LedgerDropResult drop(DropMode mode) {
    List<NameRecord> family = leavesFirst();
    if (family.isEmpty()) {
      throw notFound();
    }
    List<Address> dropped = new ArrayList<>();
    Retry.Backoff backoff = names.startRetry();
    List<NameRecord> left = remaining(mode, family);
    while (!left.isEmpty()) {
      int before = dropped.size();
      BranchPurge purge = new BranchPurge(names, family);
      left.stream()
          .filter(record -> mode == DropMode.PURGE ? purge.purge(record) : retract(record))
          .map(NameRecord::address)
          .forEach(dropped::add);
      if (dropped.size() == before) {
        ContentionException.pauseOrGiveUp(backoff, left.get(0).address());
      }
      family = leavesFirst();
      left = remaining(mode, family);
    }
    if (!dropped.isEmpty()) {
      return new LedgerDropResult(LedgerDropResult.Outcome.DROPPED, dropped);
    }
    if (mode == DropMode.PURGE) {
      throw notFound(); // another has purged it meanwhile
    }
    return new LedgerDropResult(LedgerDropResult.Outcome.ALREADY_RETRACTED, List.of());
  }

  private NotFoundException notFound() {
    return new NotFoundException("there is no ledger " + name + "; check the name");
  }

  private static List<NameRecord> remaining(DropMode mode, List<NameRecord> family) {
    return family.stream()
        .filter(record -> mode == DropMode.PURGE || !record.meta().retracted())
        .toList();
  }

  /** False when another writer was faster. */
  private boolean retract(NameRecord record) {
    try {
      names.retract(record.address());
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  private List<NameRecord> leavesFirst() {
    List<NameRecord> family = names.branches().allBranches(name);
    Map<String, NameRecord> byBranch =
        family.stream()
            .collect(Collectors.toMap(record -> record.address().branch(), Function.identity()));
    return family.stream()
        .sorted(Comparator.comparingInt((NameRecord r) -> depth(r, byBranch)).reversed())
        .toList();
  }

  /** Returns how many branches lie between this one and a root; at most all of them. */
  private static int depth(NameRecord record, Map<String, NameRecord> byBranch) {
    int depth = 0;
    Optional<NameRecord> source = source(record, byBranch);
    while (source.isPresent() && depth < byBranch.size()) {
      depth++;
      source = source(source.get(), byBranch);
    }
    return depth;
  }

  private static Optional<NameRecord> source(NameRecord record, Map<String, NameRecord> byBranch) {
    return record.meta().sourceBranch().flatMap(b -> Optional.ofNullable(byBranch.get(b)));
  }
}
