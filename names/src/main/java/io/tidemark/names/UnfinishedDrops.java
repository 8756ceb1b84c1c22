// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Work that drops of branches have left to be done, judged by the records of one name.
 *
 * @param waiting branches to be dropped that wait for no other any more, since a process died
 * @param retracted retracted branches of which there are no branches. Nothing says that they are to
 *     be dropped; earlier versions didn't write it down where a drop waited for other branches
 * @param miscounted records that say another number of branches than there are
 */
public record UnfinishedDrops(
    List<Address> waiting, List<Address> retracted, List<Address> miscounted) {

  public UnfinishedDrops {
    waiting = List.copyOf(waiting);
    retracted = List.copyOf(retracted);
    miscounted = List.copyOf(miscounted);
  }

  /**
   * Looks for unfinished drops.
   *
   * @param family the ledgers of a name, all of them
   */
  public static UnfinishedDrops of(List<NameRecord> family) {
    Map<String, Integer> children = new HashMap<>();
    family.forEach(
        record -> record.meta().sourceBranch().ifPresent(b -> children.merge(b, 1, Integer::sum)));
    Predicate<NameRecord> childlessBranch =
        record ->
            record.meta().sourceBranch().isPresent()
                && !children.containsKey(record.address().branch());
    return new UnfinishedDrops(
        those(family, childlessBranch.and(RetractedStatus::isDropping)),
        those(
            family,
            childlessBranch.and(r -> r.meta().retracted() && !RetractedStatus.isDropping(r))),
        those(family, r -> r.meta().branches() != children.getOrDefault(r.address().branch(), 0)));
  }

  private static List<Address> those(List<NameRecord> family, Predicate<NameRecord> which) {
    return family.stream().filter(which).map(NameRecord::address).toList();
  }
}
